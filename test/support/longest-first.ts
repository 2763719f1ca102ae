import { relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The files that take longest, most of them far longer than their size tells. */
const longest = [
  'scenarios',
  'hostile',
  'mcp-2026/scenarios-in-both-eras',
  'disguise/corpus',
  'agents/command/said',
  'cli/suite',
  'web/site',
  'record/hostile-programs',
  'properties',
  'web/report',
  'doctor/doctor',
  'cli/runs',
  'cli/documents',
  'cli/edges',
  'agents/command/hostile',
  'testing/attack-all',
  'agents/command/verdicts',
  'honesty/honesty',
  'cli/setup',
  'cli/stdio',
  'availability/agents',
  'disguise/leaks',
  'contract/wire-client-behaviours',
  'cli/run',
  'cli/bridge',
  'record/listen',
  'transport/json-rpc-client-stdio',
].map((name) => `test/${name}.test.ts`);

/** A long file that begins last is waited for by all others, and without a run before it nobody knows which is long. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rest = await super.sort(files);
    const rankOf = ({ moduleId }: TestSpecification): number => {
      const rank = longest.indexOf(relative(this.ctx.config.root, moduleId).replaceAll('\\', '/'));
      return rank < 0 ? longest.length : rank;
    };
    return [...rest].sort((a, b) => rankOf(a) - rankOf(b));
  }
}
