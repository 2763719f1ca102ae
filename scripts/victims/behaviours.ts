import { systemClock } from '../../src/attack/transport/clock.ts';
import type { ValueMap } from '../../src/format/model/value.ts';
import { playDocument } from '../../src/suite/play/play-run.ts';
import { createServerModes } from '../../src/suite/play/playable-modes.ts';
import { documentWith } from '../../test/support/records.ts';

export type Protocol = 'mcp' | 'a2a';

const common: { readonly [behaviour: string]: ValueMap } = {
  'a delay of 1 s': { delay: '1s' },
  'no answer': { drop: true },
  'an error': { error: { code: -32000, message: 'no' } },
  'another id': { id: 'somebody-else' },
  'the id as a text': { id: { as: 'text' } },
  'status 503': { http: { status: 503 } },
  'content type text/html': { http: { content_type: 'text/html' } },
  gzip: { http: { compress: 'gzip' } },
  'cut in the middle': { bytes: { cut: '50%' } },
  'invalid UTF-8': { bytes: { corrupt: { at: '50%', with: 'invalid_utf8' } } },
  'a few bytes at a time': { pace: { bytes: 64, every: '5ms' } },
  'reset before': { end: { by: 'reset', when: 'before' } },
  'reset in the middle': { end: { by: 'reset', when: 'during' } },
  'closed in the middle': { end: { by: 'close', when: 'during' } },
  'a body that never ends': { stream: 'endless' },
  'comments only': { stream: 'comments' },
};

/** The change that is made to the answer of a tool call, or to a message. */
export const behaviours: { readonly [P in Protocol]: { readonly [behaviour: string]: ValueMap } } = {
  mcp: {
    ...common,
    'the answer three times': { repeat: 3 },
    'a batch': { batch: true },
    'a flood of 500 notifications': {
      flood: { method: 'notifications/message', params: { level: 'info', data: 'x' }, count: 500 },
    },
    'endless pages of tools': { on: 'tools/list', pages: true },
    'events nobody asked for': { sse: { id: 'x', retry: '1', comments: 20, events: ['{"jsonrpc":"2.0"}'] } },
  },
  a2a: common,
};

const said = 'found: tea';
const states: { readonly [P in Protocol]: ValueMap } = {
  mcp: {
    tools: [
      {
        name: 'search',
        description: 'Search.',
        inputSchema: { type: 'object' },
        responses: [{ content: { content: [{ type: 'text', text: said }] } }],
      },
    ],
  },
  a2a: {
    task_responses: [
      {
        content: {
          kind: 'task',
          id: 't1',
          contextId: 'c1',
          status: { state: 'completed' },
          artifacts: [{ artifactId: 'a', parts: [{ kind: 'text', text: said }] }],
        },
      },
    ],
  },
};
const operations: { readonly [P in Protocol]: string } = { mcp: 'tools/call', a2a: 'message/send' };

export interface ServedAll {
  readonly urls: { readonly [behaviour: string]: string };
  stop(): Promise<void>;
}

/** A server for each behaviour. */
export async function serveAll(protocol: Protocol): Promise<ServedAll> {
  const controller = new AbortController();
  const runs: Promise<unknown>[] = [];
  const rows = await Promise.all(
    Object.entries(behaviours[protocol]).map(
      ([behaviour, rule]) =>
        new Promise<[string, string]>((resolve) => {
          const phase = { state: states[protocol], 'x-wire': [{ on: operations[protocol], ...rule }] };
          const execution = { mode: `${protocol}_server`, phases: [phase] };
          runs.push(
            playDocument(documentWith({ execution }), {
              modes: createServerModes({ address: () => undefined }),
              clock: systemClock,
              signal: controller.signal,
              record: () => {},
              ready: (endpoints) => resolve([behaviour, endpoints.get('default')?.url ?? '']),
            }),
          );
        }),
    ),
  );
  return {
    urls: Object.fromEntries(rows),
    async stop() {
      controller.abort();
      await Promise.all(runs);
    },
  };
}
