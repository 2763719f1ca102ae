import { expect, test } from 'vitest';
import { type WireTransport, wireBehaviours, wireTransports } from '../../src/format/registry/wire-transports.ts';
import { eventually } from '../support/http-peer.ts';
import { type ClientTraffic, clients, requestIn } from './wire-clients.ts';
import type { Rule } from './wire-servers.ts';

// Each behaviour of `x-wire` on each transport of a client, checked against the table of the registry, as for servers.

interface Behaviour {
  readonly rule: Rule;
  readonly isLong?: true;
  seen(heard: ClientTraffic): Promise<unknown>;
}

const all = ({ calls }: ClientTraffic): string => calls.map(({ seen }) => seen.text).join('\n');
const count = (heard: ClientTraffic, part: RegExp): number => all(heard).match(part)?.length ?? 0;
const says = (part: string | RegExp) => (heard: ClientTraffic) => eventually(() => all(heard)).toMatch(part);
const comes = says(/tea\?/);
const isTold = (heard: ClientTraffic) => eventually(() => requestIn(heard)?.sent).toBeDefined();
const leaves = (heard: ClientTraffic) => eventually(() => heard.calls[0]?.seen.end ?? 'open').not.toBe('open');
const leavesEarly = async (heard: ClientTraffic) => {
  await leaves(heard);
  expect(all(heard)).not.toContain('tea?');
};

/** The peer never finishes its answer, however many turns of the event loop pass. */
async function isStuck({ calls }: ClientTraffic): Promise<void> {
  await eventually(() => calls[0]?.isUntaken()).toBe(true);
  for (let turn = 0; turn < 500; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  expect(calls[0]?.isUntaken()).toBe(true);
}

async function bytesCame(heard: ClientTraffic): Promise<void> {
  await isTold(heard);
  const head = Buffer.from(requestIn(heard)?.sent?.head ?? '', 'base64').toString('latin1');
  expect(head).not.toBe('');
  await eventually(() => all(heard)).toContain(head.slice(0, 60));
}

const flood = { method: 'notifications/progress', params: { progressToken: 'x', progress: 1 }, count: 3 };
const behaviours: { readonly [name: string]: Behaviour } = {
  delay: { rule: { delay: '1ms' }, seen: comes },
  drop: { rule: { drop: true }, seen: comes },
  error: { rule: { error: { code: 1, message: 'no' } }, seen: comes },
  repeat: { rule: { repeat: 3 }, seen: (heard) => eventually(() => count(heard, /tea\?/g)).toBe(3) },
  id: { rule: { id: 'somebody-else' }, seen: comes },
  'hold.next': { rule: { hold: 'next' }, seen: comes },
  'hold.cancelled': { rule: { hold: 'cancelled' }, seen: comes },
  flood: {
    rule: { flood },
    async seen(heard) {
      await comes(heard);
      expect(count(heard, /notifications\/progress/g)).toBe(3);
    },
  },
  pages: { rule: { pages: true }, seen: comes },
  batch: { rule: { batch: true }, seen: says(/\[\{"jsonrpc":"2.0",.*"tools\/call".*\}\]/) },
  'http.status': { rule: { http: { status: 503 } }, seen: comes },
  'http.headers': { rule: { http: { headers: { 'X-Hint': 'yes' } } }, seen: says(/^X-Hint: yes\r$/m) },
  'http.content_type': {
    rule: { http: { content_type: 'text/plain' } },
    seen: says(/^Content-Type: text\/plain\r$/im),
  },
  'http.compress': { rule: { http: { compress: 'gzip' } }, seen: says('\x1f\x8b') },
  'bytes.cut': {
    rule: { bytes: { cut: '30%' } },
    async seen(heard) {
      await bytesCame(heard);
      expect(all(heard)).not.toContain('tea?');
    },
  },
  'bytes.corrupt': { rule: { bytes: { corrupt: { at: 12, with: 'invalid_utf8' } } }, seen: says('\xff\xfe') },
  'bytes.repeat_key': {
    rule: { bytes: { repeat_key: { extra: 'first' } } },
    seen: says('{"extra":"first",'),
  },
  'frame.no_newline': { rule: { frame: 'no_newline' }, seen: says(/tea\?[^\n]*$/) },
  'frame.newline_inside': { rule: { frame: 'newline_inside' }, seen: says(/2.0",\n/) },
  pace: {
    rule: { pace: { bytes: 7, every: '5ms' } },
    async seen(heard) {
      await comes(heard);
      // A busy reader finds several parts at once.
      expect(heard.calls[0]?.seen.chunks.length).toBeGreaterThan(1);
    },
  },
  'end.before': { rule: { end: { by: 'close', when: 'before' } }, seen: leavesEarly },
  'end.during': { rule: { end: { by: 'reset', when: 'during' } }, seen: leavesEarly },
  'end.after': {
    rule: { end: { by: 'reset', when: 'after' } },
    seen: leaves,
  },
  'end.answering': {
    rule: { end: { by: 'reset', when: 'answering' } },
    isLong: true,
    seen: leaves,
  },
  'read.slowly': { rule: { read: { bytes: 1, every: '10m' } }, isLong: true, seen: isStuck },
  'read.none': {
    rule: { read: 'none' },
    isLong: true,
    async seen(heard) {
      await isStuck(heard);
      expect(heard.calls[0]?.seen.end).toBe('open');
    },
  },
  'stream.endless': { rule: { stream: 'endless' }, seen: comes },
  'stream.silent': { rule: { stream: 'silent' }, seen: comes },
  'stream.comments': { rule: { stream: 'comments' }, seen: comes },
  sse: { rule: { sse: { id: 'x-1' } }, seen: comes },
  'grpc.status': { rule: { grpc: { status: 'UNAVAILABLE' } }, seen: comes },
  'grpc.trailers': { rule: { grpc: { trailers: { 'x-hint': 'never' } } }, seen: comes },
  as: { rule: { as: 'name' }, seen: comes },
  together: { rule: { together: true }, seen: comes },
};

test('x-wire on clients: has a test row for every behaviour and a client for every transport', () => {
  expect(Object.keys(behaviours)).toEqual(Object.keys(wireBehaviours));
  const named = Object.entries(wireTransports).flatMap(([name, { role }]) => (role === 'client' ? [name] : []));
  expect(Object.keys(clients)).toEqual(named);
});

const pairs = Object.entries(clients).flatMap(([carrier, speak]) =>
  Object.entries(behaviours).map(([name, behaviour]) => {
    const can = wireBehaviours[name]?.includes(carrier as WireTransport) ?? false;
    return { carrier, name, behaviour, speak, can };
  }),
);

test.each(pairs.filter(({ can }) => can))(
  'x-wire on clients: $carrier performs $name and records it',
  async ({ name, behaviour, speak }) => {
    const heard = await speak(behaviour.rule, behaviour.isLong);
    await behaviour.seen(heard);
    await isTold(heard);
    expect(requestIn(heard)?.sent?.did).toContain(name.split('.')[0]);
  },
);

test.each(pairs.filter(({ can }) => !can))(
  'x-wire on clients: $carrier ignores $name and records that it did nothing',
  async ({ behaviour, speak }) => {
    const heard = await speak(behaviour.rule);
    await comes(heard);
    await eventually(() => requestIn(heard)?.sent).toEqual({ rule: '/phases/0/x-wire/0', did: [] });
  },
);

test('x-wire on clients: cancels a request by the id that an "as" rule has named', async () => {
  const heard = await clients['mcp-client-http']?.({ as: 'name', together: true });
  await eventually(() => (heard === undefined ? '' : all(heard))).toMatch(
    /"method":"ping","params":\{"of":"default-2"\}/,
  );
});
