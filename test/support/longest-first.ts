import { relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The files that take longest. The size of a file says little about that. */
const longest = [
  'hostile',
  'scenarios',
  'scenarios-in-other-era',
  'cli/suite',
  'honesty/honesty',
  'properties',
  'testing/attack-all',
  'disguise/corpus',
  'record/hostile-programs',
  'doctor/doctor',
  'agents/command/hostile',
  'web/report',
  'agents/command/verdicts',
  'web/site',
  'agents/command/said',
  'cli/documents',
  'cli/own-code',
  'contract/wire-client-behaviours',
  'a2a/both-eras',
  'cli/setup',
  'cli/stdio',
  'record/listen',
  'disguise/leaks',
  'availability/agents',
  'cli/edges',
  'cli/bridge',
  'cli/runs',
  'contract/http-sse',
  'mcp-client/official-servers',
  'ag-ui/user',
  'agents/served/start',
  'honesty/property/property',
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
