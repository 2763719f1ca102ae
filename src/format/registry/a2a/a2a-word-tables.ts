// The same words in both spellings: JSON-RPC 0.3 writes them in lower case, proto in capitals.

export const roles = { user: 'ROLE_USER', agent: 'ROLE_AGENT' } as const;

const states = {
  submitted: 'TASK_STATE_SUBMITTED',
  working: 'TASK_STATE_WORKING',
  completed: 'TASK_STATE_COMPLETED',
  failed: 'TASK_STATE_FAILED',
  'input-required': 'TASK_STATE_INPUT_REQUIRED',
  rejected: 'TASK_STATE_REJECTED',
  'auth-required': 'TASK_STATE_AUTH_REQUIRED',
  unknown: 'TASK_STATE_UNSPECIFIED',
} as const;

/** 1.0 spells one state differently. */
export const states03 = { ...states, canceled: 'TASK_STATE_CANCELLED' } as const;
export const states1 = { ...states, canceled: 'TASK_STATE_CANCELED' } as const;

export const schemes = {
  apiKey: 'apiKeySecurityScheme',
  http: 'httpAuthSecurityScheme',
  oauth2: 'oauth2SecurityScheme',
  openIdConnect: 'openIdConnectSecurityScheme',
  mutualTLS: 'mtlsSecurityScheme',
} as const;

type Words = { readonly [word: string]: string };

/** Inverts tables of words. Several tables may map the same word. */
export function invertTables(...tables: readonly Words[]): Words {
  return Object.fromEntries(tables.flatMap((table) => Object.entries(table).map(([word, other]) => [other, word])));
}
