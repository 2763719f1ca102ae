import { relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The files that take longest. The size of a file says little about that. */
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

/** Starts the longest files first, so that none runs alone at the end. A first run has no durations to sort by. */
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
