import { systemClock } from '../../../src/attack/transport/clock.ts';
import type { MessageRecord, TraceRecord, Value, ValueMap } from '../../../src/index.ts';
import { type PlayOptions, type PlayResult, playDocument } from '../../../src/suite/play/play-run.ts';
import { type A2aServerModeOptions, a2aServerMode } from '../../../src/suite/play/playable-modes.ts';
import { documentWith } from '../../support/records.ts';

export interface Played {
  readonly url: string;
  readonly records: TraceRecord[];
  messages(method?: string): MessageRecord[];
  /** Ends the run and returns its result. */
  stop(): Promise<PlayResult>;
}

/** Plays an `a2a_server` actor until it is stopped. */
export async function playServer(
  execution: ValueMap,
  mode: A2aServerModeOptions = {},
  options: Partial<PlayOptions> = {},
): Promise<Played> {
  const records: TraceRecord[] = [];
  const controller = new AbortController();
  let running: Promise<PlayResult> | undefined;
  const url = await new Promise<string>((resolve, reject) => {
    running = playDocument(documentWith({ execution: { mode: 'a2a_server', ...execution } }), {
      modes: [a2aServerMode(mode)],
      clock: systemClock,
      signal: controller.signal,
      ...options,
      record: (record) => records.push(record),
      ready: (endpoints) => resolve(endpoints.get('default')?.url ?? ''),
    });
    running.catch(reject);
  });
  return {
    url,
    records,
    messages: (method) => messagesOf(records, method),
    async stop() {
      controller.abort();
      return running as Promise<PlayResult>;
    },
  };
}

export interface ClientRun extends PlayResult {
  readonly records: readonly TraceRecord[];
  messages(method?: string): MessageRecord[];
}

export interface ClientRunOptions extends Partial<PlayOptions> {
  readonly headers?: { readonly [name: string]: string };
  /** Phases that replace the single phase with the actions. */
  readonly phases?: readonly ValueMap[];
}

/** Plays an `a2a_client` actor against an agent until the run ends. */
export async function playClient(
  url: string,
  actions: readonly Value[],
  options: ClientRunOptions = {},
): Promise<ClientRun> {
  const records: TraceRecord[] = [];
  const { headers, phases = [{ state: { actions } }], ...rest } = options;
  const document = documentWith({ execution: { mode: 'a2a_client', phases } });
  const result = await playDocument(document, {
    modes: [],
    clock: systemClock,
    connect: () => ({ url, headers }),
    ...rest,
    record: (record) => records.push(record),
  });
  return { ...result, records, messages: (method) => messagesOf(records, method) };
}

function messagesOf(records: readonly TraceRecord[], method?: string): MessageRecord[] {
  return records.filter(
    (record): record is MessageRecord => 'origin' in record && (method === undefined || record.method === method),
  );
}

export const userMessage = (text: string, fields: ValueMap = {}): ValueMap => ({
  kind: 'message',
  role: 'user',
  messageId: 'm1',
  parts: [{ kind: 'text', text }],
  ...fields,
});

export const task = (fields: ValueMap = {}): ValueMap => ({
  kind: 'task',
  id: 't1',
  contextId: 'c1',
  status: { state: 'completed' },
  ...fields,
});

export const rpc = async (url: string, method: string, params?: Value, id: Value = 1): Promise<ValueMap> => {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id, method, ...(params !== undefined && { params }) }),
  });
  return (await response.json()) as ValueMap;
};
