import { expect, test } from 'vitest';
import { type WireTransport, wireBehaviours, wireTransports } from '../../src/format/registry/wire-transports.ts';
import { eventually } from '../support/http-peer.ts';
import {
  type Asked,
  a2aGrpc,
  a2aGrpcStream,
  a2aRest,
  a2aRpc,
  a2aStream,
  mcp2025,
  mcpSse,
  memory,
  type Rule,
  responseIn,
  stdio,
} from './wire-servers.ts';

// Each behaviour of `x-wire` on each transport of a server, checked against the table of the registry: a transport that
// can carry it out shows it on the wire, and one that cannot does nothing and says so.

type ServerCarrier = {
  [C in WireTransport]: (typeof wireTransports)[C]['role'] extends 'server' ? C : never;
}[WireTransport];

const servers: { readonly [C in WireTransport]?: (rule: Rule, headers?: object) => Promise<Asked> } = {
  'mcp-http': mcp2025,
  'mcp-sse': mcpSse,
  'mcp-stdio': stdio,
  'mcp-memory': memory,
  'a2a-json-rpc': a2aRpc,
  'a2a-stream': a2aStream,
  'a2a-rest': a2aRest,
  'a2a-grpc': (rule: Rule) => a2aGrpc(rule),
  'a2a-grpc-stream': a2aGrpcStream,
} satisfies { readonly [C in ServerCarrier]: unknown };

interface Behaviour {
  readonly rule: Rule;
  /** The proof of the behaviour, on any transport. */
  seen(asked: Asked): Promise<unknown>;
  /** What the behaviour needs in addition to the request. */
  readonly headers?: object;
}

const answers = ({ seen, earlier = 0 }: Asked): number =>
  Math.max(0, (seen.text.match(/found: tea/g)?.length ?? 0) - earlier);
const comes = (asked: Asked) => eventually(() => answers(asked)).toBeGreaterThan(0);
const says = (part: string | RegExp) => (asked: Asked) => eventually(() => asked.seen.text).toMatch(part);
const isTold = (asked: Asked) => eventually(() => reportedOf(asked)).toBeDefined();
const nothingCame = async (asked: Asked) => {
  await isTold(asked);
  expect(answers(asked)).toBe(0);
};
const ends = async (asked: Asked) => {
  await eventually(() => asked.seen.end).not.toBe('open');
};
const isCut = async (asked: Asked) => {
  await ends(asked);
  expect(answers(asked)).toBe(0);
};

/** The trace's report on an answer, or on a message that was held back. */
function reportedOf({ records }: Asked): readonly string[] | undefined {
  const kept = records.find((record) => record.kind === 'wire') as { did?: readonly string[] } | undefined;
  return responseIn(records)?.sent?.did ?? kept?.did;
}

/** The bytes in the trace are those that arrived. */
async function bytesCame(asked: Asked): Promise<void> {
  const head = (): string => {
    const sent = responseIn(asked.records)?.sent as { readonly head?: string } | undefined;
    return Buffer.from(sent?.head ?? '', 'base64')
      .toString('latin1')
      .slice(0, 60);
  };
  await eventually(head).not.toBe('');
  await eventually(() => asked.seen.text).toContain(head());
}

const behaviours: { readonly [name: string]: Behaviour } = {
  delay: { rule: { delay: '1ms' }, seen: comes },
  drop: { rule: { drop: true }, seen: nothingCame },
  error: { rule: { error: { code: -32001, message: 'not today' } }, seen: says('not today') },
  repeat: { rule: { repeat: 3 }, seen: (asked) => eventually(() => answers(asked)).toBeGreaterThan(2) },
  id: { rule: { id: 'somebody-else' }, seen: says('"id":"somebody-else"') },
  'hold.next': {
    rule: { nth: 1, hold: 'next' },
    async seen(asked) {
      await eventually(() => asked.records.some(({ kind }) => kind === 'request')).toBe(true);
      expect(answers(asked)).toBe(0);
      asked.again();
      await comes(asked);
    },
  },
  'hold.cancelled': {
    rule: { hold: 'cancelled' },
    async seen(asked) {
      await eventually(() => asked.records.some(({ kind }) => kind === 'wire')).toBe(true);
      expect(answers(asked)).toBe(0);
      asked.cancel();
      await comes(asked);
    },
  },
  flood: {
    rule: { flood: { method: 'notifications/message', params: { level: 'info', data: 'hm' }, count: 5 } },
    async seen(asked) {
      await comes(asked);
      expect(asked.seen.text.match(/notifications\/message/g)).toHaveLength(5);
    },
  },
  pages: { rule: { on: 'tools/list', pages: true }, seen: says('"nextCursor":"page-2"') },
  batch: { rule: { batch: true }, seen: says(/\[\{"jsonrpc":"2.0","id":2,.*\}\]/s) },
  'http.status': { rule: { http: { status: 503 } }, seen: says(/^HTTP\/1.1 503 /) },
  'http.headers': { rule: { http: { headers: { 'X-Hint': 'yes' } } }, seen: says(/^X-Hint: yes\r$/m) },
  'http.content_type': {
    rule: { http: { content_type: 'text/html' } },
    seen: says(/^Content-Type: text\/html\r$/m),
  },
  'http.compress': {
    rule: { http: { compress: 'gzip' } },
    headers: { 'Accept-Encoding': 'gzip' },
    seen: says('\x1f\x8b'),
  },
  'bytes.cut': {
    rule: { bytes: { cut: '50%' } },
    async seen(asked) {
      await bytesCame(asked);
      expect(answers(asked)).toBe(0);
    },
  },
  'bytes.corrupt': {
    rule: { bytes: { corrupt: { at: 12, with: 'invalid_utf8' } } },
    seen: says(/\xff\xfe|\ufffd/),
  },
  'bytes.repeat_key': {
    rule: { bytes: { repeat_key: { extra: 'first' } } },
    seen: says('{"extra":"first",'),
  },
  'frame.no_newline': {
    rule: { frame: 'no_newline' },
    async seen(asked) {
      await comes(asked);
      expect(asked.seen.text).not.toMatch(/\n$/);
    },
  },
  'frame.newline_inside': { rule: { frame: 'newline_inside' }, seen: says(/2.0",\n/) },
  pace: {
    rule: { pace: { bytes: 7, every: '5ms' } },
    async seen(asked) {
      await eventually(() => asked.seen.chunks.length).toBeGreaterThan(5);
      await isTold(asked);
    },
  },
  'end.before': { rule: { end: { by: 'close', when: 'before' } }, seen: isCut },
  'end.during': { rule: { end: { by: 'close', when: 'during' } }, seen: isCut },
  'end.after': {
    rule: { end: { by: 'close', when: 'after' } },
    seen: (asked) => comes(asked).then(() => ends(asked)),
  },
  'end.answering': { rule: { end: { by: 'close', when: 'answering' } }, seen: comes },
  'read.slowly': { rule: { read: { bytes: 1, every: '1ms' } }, seen: comes },
  'read.none': { rule: { read: 'none' }, seen: comes },
  'stream.endless': {
    rule: { stream: 'endless' },
    async seen(asked) {
      await comes(asked);
      await isTold(asked);
      expect([asked.seen.end, /\r\n0\r\n\r\n$/.test(asked.seen.text)]).toEqual(['open', false]);
    },
  },
  'stream.silent': { rule: { stream: 'silent' }, seen: nothingCame },
  'stream.comments': { rule: { stream: 'comments' }, seen: says(/: \n\n.*: \n\n/s) },
  sse: { rule: { sse: { id: 'x-1', comments: 2 } }, seen: says(/: \n\n.*id: x-1\n/s) },
  'grpc.status': {
    rule: { grpc: { status: 'UNAVAILABLE', message: 'later' } },
    seen: says('status 14 later'),
  },
  'grpc.trailers': { rule: { grpc: { trailers: { 'x-hint': 'never' } } }, seen: says('"x-hint":"never"') },
  as: { rule: { as: 'name' }, seen: comes },
  together: { rule: { together: true }, seen: comes },
};

test('x-wire on servers: has a test row for every behaviour and a server for every transport', () => {
  expect(Object.keys(behaviours)).toEqual(Object.keys(wireBehaviours));
  const named = Object.entries(wireTransports).flatMap(([name, { role }]) => (role === 'server' ? [name] : []));
  expect(Object.keys(servers)).toEqual(named);
});

const pairs = Object.entries(servers).flatMap(([carrier, ask]) =>
  Object.entries(behaviours).map(([name, behaviour]) => {
    const can = wireBehaviours[name]?.includes(carrier as WireTransport) ?? false;
    return { carrier, name, behaviour, ask, can };
  }),
);
const actionOf = (name: string): string => name.split('.')[0] ?? '';

test.each(pairs.filter(({ can }) => can))(
  'x-wire on servers: $carrier performs $name and records it',
  async ({ name, behaviour, ask }) => {
    const asked = await ask(behaviour.rule, behaviour.headers);
    await behaviour.seen(asked);
    await isTold(asked);
    const done = reportedOf(asked);
    expect(done).toContain(done?.[0] === 'wait' ? 'wait' : actionOf(name));
  },
);

test.each(pairs.filter(({ can, behaviour }) => !can && behaviour.rule.on === undefined))(
  'x-wire on servers: $carrier ignores $name and records that it did nothing',
  async ({ behaviour, ask }) => {
    const asked = await ask(behaviour.rule, behaviour.headers);
    await comes(asked);
    await eventually(() => responseIn(asked.records)?.sent).toEqual({ rule: '/phases/0/x-wire/0', did: [] });
  },
);
