import type { Value } from '../../../format/model/value.ts';
import { isSecretName, listSecretForms, listSecrets } from '../../../secrets/given-secrets.ts';
import { fillText } from '../placeholders.ts';
import type { ServedTarget, TargetContext, TargetHeaders } from '../targets.ts';
import { listVariables } from './known-placeholders.ts';

/** The secrets in a server's settings that must not be stored, in every form in which they may come back. */
export function collectServedSecrets(
  { headers = {}, configure, start }: ServedTarget,
  url: string,
  /** The values that were taken from the environment for it. */
  taken: readonly string[],
  { environment }: TargetContext,
): readonly string[] {
  const ofConfigure = configure === undefined ? [] : listSecrets({ url: configure.url });
  return listSecretForms([
    ...listSecrets({ url, secrets: taken }),
    ...ofConfigure,
    ...[headers, configure?.headers ?? {}].flatMap((each) => findNamedSecrets(each, environment)),
    ...findNamedSecrets(start?.env ?? {}, environment),
    ...listVariables([start?.command ?? '', start?.env ?? {}] as Value)
      // Only variables with a secret-looking name: a path that the program needs occurs in all of its output.
      .filter(isSecretName)
      .map((name) => environment[name] ?? ''),
  ]);
}

/** Values of fields with a secret-looking name, without the parts that change from run to run. */
function findNamedSecrets(values: TargetHeaders, environment: TargetContext['environment']): readonly string[] {
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
