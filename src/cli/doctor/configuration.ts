import picocolors from 'picocolors';
import { listVariables } from '../../agents/adapters/served/known-placeholders.ts';
import { formatPath } from '../../format/model/path.ts';
import type { Value } from '../../format/model/value.ts';
import { selectRedactor } from '../../secrets/redactor.ts';
import type { FailedConfig, LoadedConfig } from '../../suite/config/load-config.ts';
import type { Arguments } from '../commands.ts';
import type { Io } from '../io.ts';
import { readArguments } from '../read-arguments.ts';
import { readBaselineFlag } from '../run/results/baseline-flag.ts';
import { shortenPath } from '../run/results/out-folder.ts';
import { readReporters } from '../run/results/reporter-flag.ts';
import { mergeLayers } from '../run/settings/layers.ts';
import { settingRows } from '../run/settings/setting-rows.ts';
import { formatSourcePrefix } from '../run/settings/setting-sources.ts';
import { readRunSettings } from '../run/settings/setup.ts';
import { createFindingMaker, type DoctorFinding } from './doctor-finding.ts';

const say = createFindingMaker('configuration');

/** Reports which configuration is used, whether it is valid, and which environment variables override it. */
export function checkConfig(
  read: LoadedConfig | FailedConfig | undefined,
  io: Pick<Io, 'environment' | 'cwd'>,
): readonly DoctorFinding[] {
  return [...checkConfigFile(read, io), ...checkVariables(io.environment)];
}

function checkConfigFile(
  read: LoadedConfig | FailedConfig | undefined,
  { cwd, environment }: Pick<Io, 'cwd' | 'environment'>,
): readonly DoctorFinding[] {
  if (read === undefined)
    return [say('note', 'there is none in this folder or its parents', 'oatf init writes a first one')];
  const file = shortenPath(read.path, cwd);
  if (!read.ok)
    return read.problems.map(({ path, message, hint, range }) => {
      const place = range === undefined ? file : `${file}:${range.start.line}:${range.start.column}`;
      return say(
        'wrong',
        `${place}: ${[formatPath(path), selectRedactor(false).text(message)].filter(Boolean).join(': ')}`,
        hint,
      );
    });
  const { targets = {} } = read.config;
  const names = Object.keys(targets);
  const named = names.length === 0 ? 'no targets' : `targets ${names.join(', ')}`;
  return [
    say('ok', `${file}: ${named}`),
    ...names.flatMap((name) => findUnsetVariables(name, targets[name], environment)),
  ];
}

/** The environment variables that a target needs and that are not set. */
function findUnsetVariables(name: string, target: unknown, environment: Io['environment']): readonly DoctorFinding[] {
  const variables = new Set(listVariables(target as Value));
  return [...variables]
    .filter((variable) => environment[variable] === undefined)
    .map((variable) =>
      say(
        'wrong',
        `target ${name} needs the environment variable ${variable}, which is not set`,
        `set ${variable} before you call oatf`,
      ),
    );
}

function checkVariables(environment: Io['environment']): readonly DoctorFinding[] {
  const names = Object.values(settingRows).flatMap(({ variable }) => variable ?? []);
  const set = ['OATF_CONFIG', ...names].filter((name) => (environment[name] ?? '') !== '');
  return set.length === 0 ? [] : [say('note', `these environment variables are used: ${set.join(', ')}`)];
}

/** The settings of the environment and the file together, read as a run reads them. */
export interface CheckedSettings {
  readonly findings: readonly DoctorFinding[];
  readonly agents: readonly string[];
  /** The folder for results, if they set one. */
  readonly out: string | undefined;
}

/** Without an agent in the settings, this one is used to check everything else. */
const anyAgent = ['guarded'];

export async function checkSettings(config: LoadedConfig | undefined, io: Io): Promise<CheckedSettings> {
  const typed = createDefaultArguments();
  const merged = mergeLayers({ typed, config }, io);
  const isNamed = !('message' in merged) && merged.sources.agent?.kind !== 'usual';
  const { agent = [], out = undefined } = 'message' in merged ? {} : merged.values;
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
