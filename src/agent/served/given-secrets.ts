import type { Value } from '../../model/value.ts';
import { isSecretName, secretForms, secretsIn } from '../../secrets/given.ts';
import { fillText } from '../placeholders.ts';
import type { ServedTarget, TargetContext, TargetHeaders } from '../targets.ts';
import { variablesIn } from './open-names.ts';

/** What of a server's own settings must not be stored, in every form in which it may come back. */
export function givenSecrets(
  { headers = {}, configure, start }: ServedTarget,
  url: string,
  /** What was taken from the environment for it. */
  taken: readonly string[],
  { environment }: TargetContext,
): readonly string[] {
  const ofConfigure = configure === undefined ? [] : secretsIn({ url: configure.url });
  return secretForms([
    ...secretsIn({ url, secrets: taken }),
    ...ofConfigure,
    ...[headers, configure?.headers ?? {}].flatMap((each) => namedSecrets(each, environment)),
    ...namedSecrets(start?.env ?? {}, environment),
    ...variablesIn([start?.command ?? '', start?.env ?? {}] as Value)
      // A path that the program needs is in everything that it says.
      .filter(isSecretName)
      .map((name) => environment[name] ?? ''),
  ]);
}

/** What is secret by its name, without what differs from run to run. */
function namedSecrets(values: TargetHeaders, environment: TargetContext['environment']): readonly string[] {
  return (
    Object.entries(values)
      .filter(([name]) => isSecretName(name))
      .flatMap(([, value]) =>
        fillText(value, (name) => environment[/^env\.(\w+)$/.exec(name)?.[1] ?? ''] ?? '\n').split('\n'),
      )
      // `Bearer ` before a placeholder is said by everybody.
      .filter((piece) => !/\s$/.test(piece))
  );
}
