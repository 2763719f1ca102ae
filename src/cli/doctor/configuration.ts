import { variablesIn } from '../../agent/served/open-names.ts';
import type { FailedConfig, LoadedConfig } from '../../config/load-config.ts';
import { formatPath } from '../../model/path.ts';
import type { Value } from '../../model/value.ts';
import { redactorFor } from '../../secrets/redactor.ts';
import type { Io } from '../io.ts';
import { shownPath } from '../run/results/out-folder.ts';
import { settingRows } from '../run/settings/setting-rows.ts';
import { type Finding, sayOf } from './finding.ts';

const say = sayOf('configuration');

/** Reports which configuration is used, whether it is valid, and which environment variables override it. */
export function lookAtConfig(
  read: LoadedConfig | FailedConfig | undefined,
  io: Pick<Io, 'environment' | 'cwd'>,
): readonly Finding[] {
  return [...lookAtFile(read, io), ...lookAtVariables(io.environment)];
}

function lookAtFile(
  read: LoadedConfig | FailedConfig | undefined,
  { cwd, environment }: Pick<Io, 'cwd' | 'environment'>,
): readonly Finding[] {
  if (read === undefined)
    return [say('note', 'there is none in this folder or its parents', 'oatf init writes a first one')];
  const file = shownPath(read.path, cwd);
  if (!read.ok)
    return read.problems.map(({ path, message, hint, range }) => {
      const place = range === undefined ? file : `${file}:${range.start.line}:${range.start.column}`;
      return say(
        'wrong',
        `${place}: ${[formatPath(path), redactorFor(false).text(message)].filter(Boolean).join(': ')}`,
        hint,
      );
    });
  const { targets = {} } = read.config;
  const names = Object.keys(targets);
  const named = names.length === 0 ? 'no targets' : `targets ${names.join(', ')}`;
  return [
    say('ok', `${file}: ${named}`),
    ...names.flatMap((name) => unsetIn(name, targets[name], environment)),
  ];
}

/** The environment variables that a target needs and that are not set. */
function unsetIn(name: string, target: unknown, environment: Io['environment']): readonly Finding[] {
  const variables = new Set(variablesIn(target as Value));
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

function lookAtVariables(environment: Io['environment']): readonly Finding[] {
  const names = Object.values(settingRows).flatMap(({ variable }) => variable ?? []);
  const set = ['OATF_CONFIG', ...names].filter((name) => (environment[name] ?? '') !== '');
  return set.length === 0 ? [] : [say('note', `these environment variables are used: ${set.join(', ')}`)];
}
