import { listVariables } from '../../agents/adapters/served/known-placeholders.ts';
import { formatPath } from '../../format/model/path.ts';
import type { Value } from '../../format/model/value.ts';
import { selectRedactor } from '../../secrets/redactor.ts';
import type { FailedConfig, LoadedConfig } from '../../suite/config/load-config.ts';
import type { Io } from '../io.ts';
import { shortenPath } from '../run/results/out-folder.ts';
import { settingRows } from '../run/settings/setting-rows.ts';
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
