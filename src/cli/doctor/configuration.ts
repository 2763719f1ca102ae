import type { FailedConfig, LoadedConfig } from '../../config/load-config.ts';
import { formatPath } from '../../model/path.ts';
import { redactorFor } from '../../secrets/redactor.ts';
import type { Io } from '../io.ts';
import { shownPath } from '../run/results/out-folder.ts';
import { settingRows } from '../run/settings/setting-rows.ts';
import { type Finding, sayOf } from './finding.ts';

const say = sayOf('configuration');

/** Which configuration counts, whether it is right, and what the environment says over it. */
export function lookAtConfig(
  read: LoadedConfig | FailedConfig | undefined,
  io: Pick<Io, 'environment' | 'cwd'>,
): readonly Finding[] {
  return [...lookAtFile(read, io), ...lookAtVariables(io.environment)];
}

function lookAtFile(
  read: LoadedConfig | FailedConfig | undefined,
  { cwd }: Pick<Io, 'cwd'>,
): readonly Finding[] {
  if (read === undefined)
    return [say('note', 'there is none here or in a folder around', 'oatf init writes a first one')];
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
  const targets = Object.keys(read.config.targets ?? {});
  const named = targets.length === 0 ? 'no targets' : `targets ${targets.join(', ')}`;
  return [say('ok', `${file}: ${named}`)];
}

function lookAtVariables(environment: Io['environment']): readonly Finding[] {
  const names = Object.values(settingRows).flatMap(({ variable }) => variable ?? []);
  const set = ['OATF_CONFIG', ...names].filter((name) => (environment[name] ?? '') !== '');
  return set.length === 0 ? [] : [say('note', `the environment has a say: ${set.join(', ')}`)];
}
