import type { Value } from '../../model/value.ts';
import { isSecretName, secretForms, secretsIn } from '../../secrets/given.ts';
import { fillText } from '../placeholders.ts';
import type { ServedTarget, TargetContext, TargetHeaders } from '../targets.ts';
import { variablesIn } from './open-names.ts';

/** The secrets in a server's settings that must not be stored, in every form in which they may come back. */
export function givenSecrets(
  { headers = {}, configure, start }: ServedTarget,
  url: string,
  /** The values that were taken from the environment for it. */
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
      // Only variables with a secret-looking name: a path that the program needs occurs in all of its output.
      .filter(isSecretName)
      .map((name) => environment[name] ?? ''),
  ]);
}

/** Values of fields with a secret-looking name, without the parts that change from run to run. */
function namedSecrets(values: TargetHeaders, environment: TargetContext['environment']): readonly string[] {
  return (
    Object.entries(values)
      .filter(([name]) => isSecretName(name))
      .flatMap(([, value]) =>
        fillText(value, (name) => environment[/^env\.(\w+)$/.exec(name)?.[1] ?? ''] ?? '\n').split('\n'),
      )
      // A text such as `Bearer ` before a placeholder is not a secret.
      .filter((piece) => !/\s$/.test(piece))
  );
}
