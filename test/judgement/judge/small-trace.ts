import { evaluateTrace, type MessageRecord, type TraceRecord } from '../../../src/index.ts';
import { documentWith } from '../../support/records.ts';

// The smallest traces that show something, and their judgements.

export type Fields = Partial<MessageRecord> | { readonly kind: string; readonly [key: string]: unknown };

export const server = {
  actor: 'default',
  protocol: 'mcp',
  mode: 'mcp_server',
  phase: 'phase-1',
  session: 's',
};

export const phase: Fields = { kind: 'phase', actor: 'default', phase: 'phase-1' };

export function asked(method: string, content: object = {}): Fields {
  return { ...server, kind: 'request', origin: 'agent', method, content } as Fields;
}

export function reported(method: string, pieces: readonly string[], more: object = {}): Fields {
  const fields = { kind: 'response', origin: 'attacker', method, content: {}, pieces, ...more };
  return { ...server, ...fields } as Fields;
}

export function end(more: object = {}): Fields {
  return { kind: 'end', reason: 'idle', demand: 'payload', skipped: [], ...more } as Fields;
}

export const tools = '/phases/0/state/tools/*';
export const result = '/phases/0/state/tools/0/responses/0';
export const listed = [asked('tools/list'), reported('tools/list', [tools])];
export const called = [
  asked('tools/call', { name: 'search', arguments: { q: 'x' } }),
  reported('tools/call', [result]),
];
export const whole = [phase, ...listed, ...called];

export const attackedState = {
  mode: 'mcp_server',
  state: {
    tools: [{ name: 'search', description: 'Search.', responses: [{ content: [{ type: 'text', text: 'a' }] }] }],
  },
};
export const leak = { surface: 'tools/call', target: 'arguments.q', pattern: { contains: 'secret' } };

export interface Run {
  readonly execution?: object;
  readonly indicators?: readonly object[];
  readonly marks?: readonly object[];
  readonly correlation?: object;
  readonly task?: readonly object[];
}

/** The evaluation of a trace of these records, stamped in their order. */
export function evaluated(records: readonly Fields[], run: Run = {}) {
  const { execution = attackedState, indicators = [leak], marks, correlation, task } = run;
  const stamped = records.map((fields, seq) => ({ seq, timestamp: '2026-01-01T00:00:00.000Z', ...fields }));
  const document = documentWith({
    execution,
    ...(indicators.length > 0 && { indicators }),
    ...(marks !== undefined && { 'x-payload': marks }),
    ...(correlation !== undefined && { correlation }),
    ...(task !== undefined && { 'x-task': task }),
  });
  return evaluateTrace(document, stamped as TraceRecord[]);
}

export const leaked = asked('tools/call', { name: 'search', arguments: { q: 'my secret' } });
export const asking = {
  mode: 'mcp_server',
  state: { ...attackedState.state, elicitations: [{ message: 'Your password?' }] },
};
export const question = '/phases/0/state/elicitations/0';
export const elicited: Fields = {
  ...server,
  kind: 'request',
  origin: 'attacker',
  method: 'elicitation/create',
  id: 'default-1',
  content: {},
  pieces: [question],
} as Fields;

export function answered(content: object, more: object = {}): Fields {
  const fields = {
    kind: 'response',
    origin: 'agent',
    method: 'elicitation/create',
    id: 'default-1',
    content,
  };
  return { ...server, ...fields, ...more } as Fields;
}

export const declares = (capabilities: object): Fields => asked('initialize', { capabilities });
export const broken: Fields = { kind: 'malformed', actor: 'default', reason: 'not JSON', raw: '' };
