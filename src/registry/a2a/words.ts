// The same words on both sides: JSON-RPC writes them plainly, proto in capitals.

export const roles = { user: 'ROLE_USER', agent: 'ROLE_AGENT' } as const;

export const states = {
  submitted: 'TASK_STATE_SUBMITTED',
  working: 'TASK_STATE_WORKING',
  completed: 'TASK_STATE_COMPLETED',
  failed: 'TASK_STATE_FAILED',
  canceled: 'TASK_STATE_CANCELLED',
  'input-required': 'TASK_STATE_INPUT_REQUIRED',
  rejected: 'TASK_STATE_REJECTED',
  'auth-required': 'TASK_STATE_AUTH_REQUIRED',
  unknown: 'TASK_STATE_UNSPECIFIED',
} as const;

export const schemes = {
  apiKey: 'apiKeySecurityScheme',
  http: 'httpAuthSecurityScheme',
  oauth2: 'oauth2SecurityScheme',
  openIdConnect: 'openIdConnectSecurityScheme',
  mutualTLS: 'mtlsSecurityScheme',
} as const;

export function inverted(table: { readonly [word: string]: string }): { readonly [word: string]: string } {
  return Object.fromEntries(Object.entries(table).map(([word, other]) => [other, word]));
}
