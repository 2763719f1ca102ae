import { isSecretName, isSecretVariable } from '../../../secrets/given-secrets.ts';
import { findPlaceholders } from '../placeholders.ts';
import type { CommandTarget, TargetContext } from '../targets.ts';
import type { CommandSettings } from './command-settings.ts';

/** The secrets that a program is given and that must not be stored. */
export function findCommandSecrets(
  target: CommandTarget,
  settings: CommandSettings,
  { environment }: TargetContext,
): readonly string[] {
  const { env = {}, files = {} } = target;
  const texts = [...settings.words, ...settings.followUp, ...Object.values(env), ...Object.values(files)];
  const taken = findPlaceholders(texts).flatMap((name) => {
    const [, variable = ''] = /^env\.(\w+)$/.exec(name) ?? [];
    return environment[variable] ?? [];
  });
  const inherited = target.environment === 'inherited' ? Object.entries(environment) : [];
  const given = [
    ...taken,
    ...Object.entries(env).flatMap(([name, value]) =>
      findPlaceholders(value).length === 0 && isSecretVariable(name, value) ? [value] : [],
    ),
    ...inherited.flatMap(([name, value]) =>
      value !== undefined && isSecretName(name) && !value.includes('/') ? [value] : [],
    ),
  ];
  return [...new Set(given)];
}
