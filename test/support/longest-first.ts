import { relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The files that take longest. The size of a file says little about that. */
const longest = [
  'scenarios-in-other-era',
  'scenarios',
  'disguise/corpus',
  'cli/suite',
  'hostile',
  'honesty/honesty',
  'testing/attack-all',
  'properties',
  'web/site',
  'web/report',
  'doctor/doctor',
  'record/hostile-programs',
  'agents/command/hostile',
  'agents/command/verdicts',
  'cli/stdio',
  'disguise/leaks',
  'cli/setup',
  'cli/documents',
  'cli/own-code',
  'contract/wire-client-behaviours',
  'cli/runs',
  'agents/command/said',
  'cli/edges',
  'record/listen',
  'availability/agents',
  'a2a/both-eras',
  'cli/bridge',
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
