import picocolors from 'picocolors';
import type { LoadedConfig } from '../../suite/config/load-config.ts';
import type { Arguments } from '../commands.ts';
import type { Io } from '../io.ts';
import { readArguments } from '../read-arguments.ts';
import { readBaselineFlag } from '../run/results/baseline-flag.ts';
import { readReporters } from '../run/results/reporter-flag.ts';
import { mergeLayers } from '../run/settings/layers.ts';
import { formatSourcePrefix } from '../run/settings/setting-sources.ts';
import { readRunSettings } from '../run/settings/setup.ts';
import { createFindingMaker, type DoctorFinding } from './doctor-finding.ts';

/** The settings of the environment and the file together, read as a run reads them. */
export interface CheckedSettings {
  readonly findings: readonly DoctorFinding[];
  /** The agents that they select. */
  readonly agents: readonly string[];
  /** The folder for results, if they set one. */
  readonly out: string | undefined;
}

/** Without an agent in the settings, this one is used to check everything else. */
const anyAgent = ['guarded'];

export async function checkSettings(config: LoadedConfig | undefined, io: Io): Promise<CheckedSettings> {
  const typed = createDefaultArguments();
  const said = mergeLayers({ typed, config }, io);
  const isNamed = !('message' in said) && said.sources.agent?.kind !== 'usual';
  const { agent = [], out = undefined } = 'message' in said ? {} : said.values;
  const heard = collectComplaints(io);
  await readAll(isNamed ? typed : { ...typed, agent: anyAgent }, config, heard.io);
  return { findings: heard.findings(), agents: isNamed ? agent : [], out };
}

async function readAll(typed: Arguments<'run'>, config: LoadedConfig | undefined, io: Io): Promise<void> {
  const setup = await readRunSettings(typed, config, io);
  if ('exit' in setup) return;
  const { values, sources } = setup;
  const wanted = await readReporters(values.reporter, values.json, io);
  if ('message' in wanted) await setup.complain(wanted);
  if (values.baseline !== undefined)
    await readBaselineFlag(values.baseline, io, formatSourcePrefix('baseline', sources.baseline));
}

function createDefaultArguments(): Arguments<'run'> {
  const meant = readArguments(['run']);
  if (meant.kind !== 'command') throw new Error('run takes something that it did not take');
  return meant.invocation.values as Arguments<'run'>;
}

/** Collects the complaints that a run would write. */
function collectComplaints(io: Io): { readonly io: Io; findings(): readonly DoctorFinding[] } {
  const say = createFindingMaker('configuration');
  const colours = picocolors.createColors(false);
  let text = '';
  const stderr = {
    ...io.stderr,
    colours,
    async write(more: string) {
      text += more;
    },
  };
  return {
    io: { ...io, stderr },
    findings() {
      const lines = text.split('\n');
      return lines.flatMap((line, index): readonly DoctorFinding[] => {
        const [, problem] = /^oatf: error: (?:run: )?(.*)$/.exec(line) ?? [];
        const [, advice] = /^oatf: hint: (.*)$/.exec(lines[index + 1] ?? '') ?? [];
        return problem === undefined ? [] : [say('wrong', problem, advice)];
      });
    },
  };
}
