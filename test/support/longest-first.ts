import { relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The files that take longest. The size of a file says little about that. */
const longest = [
  'hostile/hostile',
  'library/scenarios',
  'library/scenarios-in-other-era',
  'cli/run/suite',
  'honesty/honesty',
  'format/properties',
  'testing/attack-all',
  'judgement/disguise/corpus',
  'cli/record/hostile-programs',
  'cli/doctor/doctor',
  'agents/adapters/command/hostile',
  'web/report',
  'agents/adapters/command/verdicts',
  'web/site',
  'agents/adapters/command/output',
  'cli/scripts/documents',
  'cli/own-code',
  'contract/wire-client-behaviours',
  'protocols/a2a/both-eras',
  'cli/scripts/setup',
  'cli/run/stdio',
  'cli/record/listen',
  'judgement/disguise/leaks',
  'suite/play/agents',
  'cli/edges',
  'cli/bridge/bridge',
  'cli/scripts/runs',
  'contract/http-sse',
  'protocols/mcp-client/official-servers',
  'protocols/ag-ui/user',
  'agents/adapters/served/start',
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
