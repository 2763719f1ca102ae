import type { Target } from '../../agents/adapters/targets.ts';
import { isSecretName } from '../../secrets/given-secrets.ts';

/** A configuration file is often shared, so no secret may be written to it. */
export const credentials = {
  problem: 'its URL holds a name, a password or a token, and it would be written to the file',
  hint: 'leave that out, and give the target `headers`, such as authorization: Bearer {{env.MY_TOKEN}}',
};

export function holdsCredentials({ agUi, http, a2a }: Target): boolean {
  const url = agUi ?? http ?? a2a ?? '';
  if (!URL.canParse(url)) return false;
  const { username, password, searchParams } = new URL(url);
  return username !== '' || password !== '' || [...searchParams.keys()].some(isSecretName);
}
