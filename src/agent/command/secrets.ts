import { isSecretName, isSecretVariable } from '../../secrets/given.ts';
import { placeholdersIn } from '../placeholders.ts';
import type { CommandTarget, TargetContext } from '../targets.ts';
import type { CommandSettings } from './settings.ts';

/** The secrets that a program is given and that must not be stored. */
export function secretsOf(
  target: CommandTarget,
  settings: CommandSettings,
  { environment }: TargetContext,
): readonly string[] {
  const { env = {}, files = {} } = target;
  const texts = [...settings.words, ...settings.followUp, ...Object.values(env), ...Object.values(files)];
  const taken = placeholdersIn(texts).flatMap((name) => {
    const [, variable = ''] = /^env\.(\w+)$/.exec(name) ?? [];
    return environment[variable] ?? [];
  });
  const inherited = target.environment === 'inherited' ? Object.entries(environment) : [];
  const given = [
    ...taken,
    ...Object.entries(env).flatMap(([name, value]) =>
      placeholdersIn(value).length === 0 && isSecretVariable(name, value) ? [value] : [],
    ),
    ...inherited.flatMap(([name, value]) =>
      value !== undefined && isSecretName(name) && !value.includes('/') ? [value] : [],
    ),
  ];
  return [...new Set(given)];
}
