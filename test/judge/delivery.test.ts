import { describe, expect, test } from 'vitest';
import { trackDelivery } from '../../src/judge/delivery.ts';
import type { DeliveryFacts } from '../../src/judge/delivery-facts.ts';
import { observedProtocol } from '../../src/model/observation.ts';
import type { MessageRecord, TraceRecord } from '../../src/model/trace.ts';
import type { BindingViews, Signs } from '../../src/model/views.ts';
import { documentWith } from '../support/records.ts';
import type { Fields } from './small-trace.ts';

// Which facts each record gives. A message says in its content what it shows, so that no binding has a part in this.

const view: BindingViews = {
  protocol: 'mcp',
  pieces: () => [],
  signs: ({ content }) => content as Signs,
  echoes: () => ({ echoesIn: ({ method }) => (method === 'echo' ? [['alive']] : []) }),
};

const document = documentWith({
  execution: {
    actors: [
      { name: 'server', mode: 'mcp_server', phases: [{ name: 'one', state: {} }] },
      { name: 'client', mode: 'mcp_client', phases: [{ name: 'one', state: {} }] },
    ],
  },
});

function factsOf(records: readonly Fields[], views: readonly BindingViews[] = [view]): DeliveryFacts {
  const tracker = trackDelivery(document, views);
  records.forEach((fields, seq) => {
    tracker.add({ seq, timestamp: '', ...fields } as TraceRecord);
  });
  return tracker.facts();
}

/** Fields of a message; undefined takes one out. */
type More = { readonly [K in keyof MessageRecord]?: MessageRecord[K] | undefined };

const server = { actor: 'server', protocol: 'mcp', mode: 'mcp_server', phase: 'one', method: 'm' };
const client = { actor: 'client', mode: 'mcp_client' };

/** A message of the agent’s that shows this. */
function shows(signs: Signs, more: More = {}): Fields {
  return { ...server, kind: 'request', origin: 'agent', content: signs as never, ...more } as Fields;
}

function answers(signs: Signs, more: More = {}): Fields {
  return shows(signs, { ...client, kind: 'response', id: 1, ...more });
}

/** A message of ours with these pieces. */
function carries(pieces: readonly string[] | undefined, more: More = {}, signs: Signs = {}): Fields {
  const fields = { ...server, kind: 'response', origin: 'attacker', content: signs as never, ...more };
  return { ...fields, ...(pieces !== undefined && { pieces }) } as Fields;
}

function asks(pieces: readonly string[] | undefined, more: More = {}, signs: Signs = {}): Fields {
  return carries(pieces, { ...client, kind: 'request', id: 1, ...more }, signs);
}

function marker(kind: string, more: object): Fields {
  return { kind, ...more };
}

type Rows = readonly [
  title: string,
  records: readonly Fields[],
  read: (facts: DeliveryFacts) => unknown,
  expected: unknown,
][];

function check(rows: Rows): void {
  test.each(rows)('%s', (_, records, read, expected) => {
    expect(read(factsOf(records))).toStrictEqual(expected);
  });
}

const arrivalAt =
  (at: string, written?: string, actor = 'server') =>
  (facts: DeliveryFacts): unknown =>
    facts.arrivalOf(actor, at, written);
const atClient = (at: string) => arrivalAt(at, undefined, 'client');
const reasons =
  (of: 'troubles' | 'cuts' | 'unread' | 'overdue') =>
  (facts: DeliveryFacts): unknown =>
    facts[of].map(({ reason }) => reason);
const lasts = ({ lastSign, lastUse, lastRefusal }: DeliveryFacts): unknown => [
  lastSign,
  lastUse,
  lastRefusal,
];

describe('nothing', () => {
  check([
    [
      'of the actors',
      [],
      ({ actors }) => actors.server,
      { mode: 'mcp_server', phases: ['one'], phasesEntered: [], reached: false, engaged: false, served: 0 },
    ],
    ['of the end', [], ({ end }) => end, undefined],
    ['of pieces', [], ({ hasPieces, isVisible }) => [hasPieces, isVisible], [false, false]],
    ['of life', [], lasts, [-1, -1, -1]],
    [
      'of incidents',
      [],
      ({ troubles, cuts, unread, overdue, turnedDown }) => [troubles, cuts, unread, overdue, turnedDown],
      [[], [], [], [], []],
    ],
    [
      'of a piece',
      [],
      (facts) => [
        facts.arrivalOf('server', '/a'),
        facts.refusalOf('server', '/a'),
        facts.wasBegun('server', '/a'),
        facts.wasSent('server', '/a'),
      ],
      [undefined, undefined, false, false],
    ],
    [
      'of a capability or a surface',
      [],
      (facts) => [facts.lacksCapability('server', 'roots'), facts.usesSurface('tools')],
      [false, false],
    ],
  ]);
});

describe('a message of ours', () => {
  check([
    ['is counted', [carries([]), carries([])], ({ actors }) => actors.server?.served, 2],
    [
      'shows that its phase began',
      [carries([], { phase: 'two' })],
      ({ actors }) => actors.server?.phasesEntered,
      ['two'],
    ],
    [
      'may have no phase',
      [{ ...carries([]), phase: undefined } as Fields],
      ({ actors }) => actors.server?.phasesEntered,
      [],
    ],
    ['does not reach us', [carries([])], ({ actors }) => actors.server?.reached, false],
    ['of a server cannot be seen to be answered', [carries([])], ({ isVisible }) => isVisible, false],
    ['of a client can', [asks([])], ({ isVisible }) => isVisible, true],
    ['that lists no pieces', [carries(undefined)], ({ hasPieces }) => hasPieces, false],
    ['that lists pieces', [carries([])], ({ hasPieces }) => hasPieces, true],
    ['delivers its pieces', [shows({}), carries(['/a'])], arrivalAt('/a'), { seq: 1, byUse: false }],
    ['delivers no other', [carries(['/a'])], arrivalAt('/b'), undefined],
    ['delivers nothing of another actor', [carries(['/a'])], atClient('/a'), undefined],
    ['answers a use', [carries(['/a'], {}, { use: true })], arrivalAt('/a'), { seq: 0, byUse: true }],
    ['delivers each item of its list', [carries(['/a/*'])], arrivalAt('/a/7'), { seq: 0, byUse: false }],
    ['delivers nothing inside an item', [carries(['/a/*'])], arrivalAt('/a/7/b'), undefined],
    ['counts the first time', [carries(['/a']), carries(['/a'])], arrivalAt('/a'), { seq: 0, byUse: false }],
    [
      'was sent',
      [carries(['/a', '/b/*'])],
      (facts) => sentOf(facts, '/a', '/b/1', '/c'),
      [true, true, false],
    ],
    [
      'may break off',
      [carries(undefined, { begun: ['/a', '/b/*'] })],
      (facts) => ['/a', '/b/1', '/c'].map((at) => facts.wasBegun('server', at)),
      [true, true, false],
    ],
    ['that breaks off delivers nothing', [carries(undefined, { begun: ['/a'] })], arrivalAt('/a'), undefined],
    [
      'in a protocol that nobody knows shows nothing',
      [carries(['/a'], { protocol: 'voice' }, { use: true })],
      arrivalAt('/a'),
      { seq: 0, byUse: false },
    ],
    [
      'from an actor that the document does not have',
      [carries([], { actor: 'stranger' })],
      ({ actors }) => actors.stranger,
      {
        mode: 'mcp_server',
        phases: [],
        phasesEntered: ['one'],
        reached: false,
        engaged: false,
        served: 1,
      },
    ],
  ]);
});

function sentOf(facts: DeliveryFacts, ...pieces: readonly string[]): unknown {
  return pieces.map((at) => facts.wasSent('server', at));
}

describe('a template that resolved to nothing', () => {
  const without = (name: string): Fields => carries(['/a'], { unresolved: [name] });
  check([
    ['does not deliver its text', [without('x')], arrivalAt('/a', '{{x}}'), undefined],
    ['delivers its piece', [without('x')], arrivalAt('/a'), { seq: 0, byUse: false }],
    ['leaves other texts alone', [without('x')], arrivalAt('/a', '{{y}} x'), { seq: 0, byUse: false }],
    ['resolves later', [without('x'), carries(['/a'])], arrivalAt('/a', '{{x}}'), { seq: 1, byUse: false }],
    [
      'resolves later than another',
      [without('x'), without('y'), carries(['/a'])],
      arrivalAt('/a', '{{x}}'),
      { seq: 1, byUse: false },
    ],
    [
      'resolves at last',
      [without('x'), without('y'), carries(['/a'])],
      arrivalAt('/a', '{{x}} {{y}}'),
      { seq: 2, byUse: false },
    ],
    [
      'is not waited for without end',
      [...Array.from({ length: 50 }, () => without('x')), carries(['/a'])],
      arrivalAt('/a', '{{x}}'),
      undefined,
    ],
    [
      'resolves the last time that is looked at',
      [...Array.from({ length: 49 }, () => without('x')), carries(['/a'])],
      arrivalAt('/a', '{{x}}'),
      { seq: 49, byUse: false },
    ],
  ]);
});

describe('a request of ours', () => {
  const askedTwice = [asks(['/a']), asks(['/b'], { id: 2 })];
  const inSession = [asks(['/a'], { id: undefined, session: 's' })];
  const question = asks(['/a'], {}, { answersIfDeclared: 'elicitation' });
  const ofClient = shows({ declares: ['elicitation'] }, client);
  check([
    ['has not arrived while nobody answers', [asks(['/a'])], atClient('/a'), undefined],
    [
      'has arrived when it is answered',
      [asks(['/a']), answers({})],
      atClient('/a'),
      { seq: 0, byUse: false },
    ],
    [
      'may be answered by an event',
      [asks(['/a']), answers({}, { kind: 'event' })],
      atClient('/a'),
      { seq: 0, byUse: false },
    ],
    [
      'is not answered by a request',
      [asks(['/a']), answers({}, { kind: 'request' })],
      atClient('/a'),
      undefined,
    ],
    [
      'is not answered by what we refuse',
      [asks(['/a']), answers({}, { refused: 'no' })],
      atClient('/a'),
      undefined,
    ],
    [
      'is answered by its id',
      [...askedTwice, answers({}, { id: 2 })],
      (facts) => [atClient('/a')(facts), atClient('/b')(facts)],
      [undefined, { seq: 1, byUse: false }],
    ],
    [
      'is answered by its session where there are no ids',
      [...inSession, answers({}, { id: undefined, session: 's' })],
      atClient('/a'),
      { seq: 0, byUse: false },
    ],
    [
      '… and by no other session',
      [...inSession, answers({}, { id: undefined, session: 't' })],
      atClient('/a'),
      undefined,
    ],
    [
      'may have neither',
      [asks(['/a'], { id: undefined }), answers({}, { id: undefined })],
      atClient('/a'),
      { seq: 0, byUse: false },
    ],
    ['is not understood', [asks(['/a']), answers({ refusal: 'what?' })], atClient('/a'), undefined],
    [
      'says why it was not understood',
      [asks(['/a', '/b/*']), answers({ refusal: 'what?' })],
      (facts) => ['/a', '/b/1', '/c'].map((at) => facts.refusalOf('client', at)),
      ['what?', 'what?', undefined],
    ],
    [
      'is not refused with another',
      [asks(['/a']), answers({ refusal: 'what?' }, { id: 2 })],
      (facts) => facts.refusalOf('client', '/a'),
      undefined,
    ],
    [
      'is answered once',
      [asks(['/a']), answers({ refusal: 'what?' }), answers({})],
      atClient('/a'),
      undefined,
    ],
    ['of this era waits where nothing is declared', [question], atClient('/a'), undefined],
    [
      'of this era has arrived where it is declared',
      [ofClient, question],
      atClient('/a'),
      { seq: 1, byUse: false },
    ],
    [
      '… but not where something else is',
      [shows({ declares: ['roots'] }, client), question],
      atClient('/a'),
      undefined,
    ],
  ]);

  test('is one of so many that may wait', () => {
    const many = Array.from({ length: 10_001 }, (_, id) => asks([`/${id}/x`], { id }));
    const facts = factsOf([...many, answers({}, { id: 9_999 }), answers({}, { id: 10_000 })]);
    expect([9_999, 10_000].map((id) => facts.arrivalOf('client', `/${id}/x`)?.seq)).toEqual([
      9_999,
      undefined,
    ]);
  });
});

describe('a message of the agent’s', () => {
  check([
    ['reaches us', [shows({})], ({ actors }) => actors.server, { ...reached(), engaged: false }],
    ['is not ours', [shows({})], ({ actors, isVisible }) => [actors.server?.served, isVisible], [0, false]],
    ['shows no life', [shows({})], lasts, [-1, -1, -1]],
    ['shows life', [shows({}), shows({ alive: true })], lasts, [1, -1, -1]],
    ['shows a use', [shows({}), shows({ use: true })], lasts, [1, 1, -1]],
    ['shows life behind a use', [shows({ use: true }), shows({ alive: true })], lasts, [1, 0, -1]],
    ['is no use', [shows({ alive: true })], ({ actors }) => actors.server?.engaged, false],
    ['is a use', [shows({ use: true })], ({ actors }) => actors.server?.engaged, true],
    ['that repeats ours shows no life', [shows({ alive: true }, { method: 'echo' })], lasts, [-1, -1, -1]],
    [
      'that repeats ours still reaches us',
      [shows({ alive: true }, { method: 'echo' })],
      ({ actors }) => actors.server?.reached,
      true,
    ],
    ['in a protocol that nobody knows is a use', [shows({}, { protocol: 'voice' })], lasts, [0, 0, -1]],
    [
      'that was only observed is none',
      [shows({ use: true }, { protocol: observedProtocol })],
      lasts,
      [-1, -1, -1],
    ],
    [
      '… and shows no phase',
      [shows({}, { protocol: observedProtocol, actor: 'process' })],
      ({ actors }) => Object.keys(actors),
      ['server', 'client'],
    ],
    [
      'with masked secrets is unread',
      [shows({}, { covered: true })],
      ({ unread }) => unread,
      [{ actor: 'server', reason: 'secrets in it were masked when it was stored' }],
    ],
    ['is read', [shows({})], ({ unread }) => unread, []],
  ]);
});

test('nobody has to find echoes', () => {
  const { echoes: _, ...plain } = view;
  expect(lasts(factsOf([shows({ alive: true }, { method: 'echo' })], [plain]))).toEqual([0, -1, -1]);
});

function reached(): object {
  return {
    mode: 'mcp_server',
    phases: ['one'],
    phasesEntered: ['one'],
    reached: true,
    served: 0,
    eras: ['2024-11-05'],
  };
}

describe('the era of an actor', () => {
  const eras = ({ actors }: DeliveryFacts): unknown => actors.server?.eras;
  check([
    ['is the first unless a message says so', [shows({})], eras, ['2024-11-05']],
    ['is what a message says', [shows({}, { era: '2026-07-28' })], eras, ['2026-07-28']],
    ['may be two', [shows({}), shows({}, { era: '2026-07-28' })], eras, ['2024-11-05', '2026-07-28']],
    ['is none where a message only asks for it', [shows({ probes: true })], eras, undefined],
    ['is none in a protocol without', [shows({}, { protocol: 'ag_ui' })], eras, undefined],
    ['is not ours', [carries([], { era: '2026-07-28' })], eras, undefined],
  ]);
});

describe('a surface', () => {
  const uses =
    (...names: readonly string[]) =>
    (facts: DeliveryFacts): unknown =>
      names.map((name) => facts.usesSurface(name));
  const lists = (phase: string | undefined, more: More = {}): Fields =>
    shows({ surface: 'tools', lists: true }, { phase, ...more } as More);
  const again = uses('list-changes');
  check([
    ['is used', [shows({ surface: 'tools' })], uses('tools', 'prompts'), [true, false]],
    ['is declared', [shows({ declares: ['elicitation'] })], uses('elicitation', 'sampling'), [true, false]],
    ['is declared to one of two', [shows({ declares: ['roots'] }, client)], uses('roots'), [true]],
    ['is listed once', [lists('one')], again, [false]],
    ['is listed twice in a phase', [lists('one'), lists('one')], again, [false]],
    ['is listed in a later phase', [lists('one'), lists('two')], again, [true]],
    [
      'is used in a later phase',
      [lists('one'), shows({ surface: 'tools' }, { phase: 'two' })],
      again,
      [false],
    ],
    [
      'is another one in a later phase',
      [lists('one'), shows({ surface: 'prompts', lists: true }, { phase: 'two' })],
      again,
      [false],
    ],
    ['is another actor’s', [lists('one'), lists('two', client)], again, [false]],
    ['is listed outside of phases', [lists(undefined), lists(undefined)], again, [false]],
    [
      'is a list of nothing',
      [shows({ lists: true }), shows({ lists: true }, { phase: 'two' })],
      again,
      [false],
    ],
    ['is listed in the first phase again', [lists('one'), lists('two'), lists('one')], again, [true]],
  ]);
});

describe('a capability', () => {
  const lacks =
    (...names: readonly string[]) =>
    (facts: DeliveryFacts): unknown =>
      names.map((name) => facts.lacksCapability('server', name));
  check([
    [
      'is lacking where others are declared',
      [shows({ declares: ['roots'] })],
      lacks('roots', 'sampling'),
      [false, true],
    ],
    ['is lacking where nothing is declared', [shows({ declares: [] })], lacks('roots'), [true]],
    ['is not known before', [shows({})], lacks('roots'), [false]],
    ['is declared later', [shows({ declares: [] }), shows({ declares: ['roots'] })], lacks('roots'), [false]],
    ['is not known by what we refuse', [shows({ declares: [] }, { refused: 'no' })], lacks('roots'), [false]],
    ['is declared to another', [shows({ declares: [] }, client)], lacks('roots'), [false]],
    ['of nobody', [], (facts) => facts.lacksCapability('stranger', 'roots'), false],
  ]);
});

describe('a failure', () => {
  const fails = (more: Signs = {}, fields: More = {}): Fields => answers({ trouble: 'no', ...more }, fields);
  check([
    ['is trouble', [fails()], ({ troubles }) => troubles, [{ actor: 'client', reason: 'no' }]],
    [
      'may be absence',
      [fails({ absent: true })],
      ({ troubles }) => troubles,
      [{ actor: 'client', reason: 'no', absent: true }],
    ],
    [
      'may be a refusal',
      [fails({ refuses: true })],
      ({ troubles }) => troubles,
      [{ actor: 'client', reason: 'no', refuses: true }],
    ],
    ['is not refused by us', [fails({ refuses: true }, { refused: 'no' })], ({ troubles }) => troubles, []],
    ['is the actor’s', [fails(), fails({ trouble: 'again' })], ({ actors }) => actors.client?.trouble, 'no'],
    ['is every one’s', [fails(), fails({ trouble: 'again' })], reasons('troubles'), ['no', 'again']],
    [
      'in what we refuse is not the actor’s',
      [fails({}, { refused: 'no' })],
      ({ actors }) => actors.client,
      { ...reached(), mode: 'mcp_client', engaged: false },
    ],
    ['that refuses is the last refusal', [shows({}), fails({ refuses: true })], lasts, [-1, -1, 1]],
    ['that does not refuse is none', [fails()], lasts, [-1, -1, -1]],
    ['in what we refuse is no refusal', [fails({ refuses: true }, { refused: 'no' })], lasts, [-1, -1, -1]],
    [
      'turns its request down',
      [asks(['/a'], { session: 's' }), fails({ refuses: true, refusal: 'what?' })],
      ({ turnedDown }) => turnedDown,
      [{ actor: 'client', session: 's', seq: 0, pieces: ['/a'], unresolved: [] }],
    ],
    ['that does not refuse turns nothing down', [asks(['/a']), fails()], ({ turnedDown }) => turnedDown, []],
    ['of no request turns nothing down', [fails({ refuses: true })], ({ turnedDown }) => turnedDown, []],
  ]);
});

describe('a broken request', () => {
  const rule = '/phases/0/x-wire/0';
  const faulty = (harm?: string, more: More = {}): Fields =>
    asks([rule, '/a'], {
      session: 's',
      sent: { rule, did: ['bytes'], ...(harm !== undefined && { harm }) },
      ...more,
    });
  const whole = faulty();
  const half = faulty('cut');
  const refuses: Signs = { trouble: 'no', refuses: true, refusal: 'no' };
  const left = marker('connection', { actor: 'client', session: 's', reason: 'gone', cause: 'trouble' });
  const status = (code: number, more: object = {}): Fields => ({ ...left, status: code, ...more }) as Fields;
  const garbage = marker('malformed', { actor: 'client', session: 's', reason: 'not JSON' });
  const malformedFor = (more: object): Fields => ({ ...garbage, ...more }) as Fields;
  const both = (facts: DeliveryFacts): unknown => [lasts(facts), reasons('troubles')(facts)];
  check([
    ['delivers its rule at once', [shows({}), half], atClient(rule), { seq: 1, byUse: false }],
    ['delivers nothing else at once', [half], atClient('/a'), undefined],
    ['delivers the rest when answered', [half, answers({})], atClient('/a'), { seq: 0, byUse: false }],
    [
      'keeps what did not resolve',
      [faulty('cut', { unresolved: ['x'] }), answers({})],
      (facts) => [facts.arrivalOf('client', '/a', '{{x}}'), facts.arrivalOf('client', rule, '{{x}}')],
      [undefined, undefined],
    ],
    [
      'that is refused, as anything might be, is trouble',
      [half, answers(refuses)],
      both,
      [[-1, -1, 1], ['no']],
    ],
    ['that is whole and refused is trouble, too', [whole, answers(refuses)], both, [[-1, -1, 1], ['no']]],
    [
      'that is refused by an agent that has answered shows life',
      [shows({ alive: true }), half, answers(refuses)],
      both,
      [[2, -1, 2], []],
    ],
    [
      'that is refused by an agent that answers later shows life',
      [half, answers(refuses), shows({ use: true })],
      both,
      [[2, 2, 1], []],
    ],
    [
      'that fails in another way is trouble',
      [half, answers({ trouble: 'no' })],
      both,
      [[-1, -1, -1], ['no']],
    ],
    [
      'that is refused without a word is trouble',
      [half, answers({ trouble: 'no', refuses: true })],
      both,
      [[-1, -1, 1], ['no']],
    ],
    ['that was not whole and is answered shows life', [half, answers({})], both, [[1, -1, -1], []]],
    ['that was whole and is answered is as others', [whole, answers({})], both, [[-1, -1, -1], []]],
    ['does not live by an event', [half, answers({}, { kind: 'event' })], both, [[-1, -1, -1], []]],
    ['keeps what its answer shows', [half, answers({ use: true })], both, [[1, 1, -1], []]],
    [
      'is known by its session',
      [faulty('cut', { id: undefined }), answers({}, { id: undefined, session: 's' })],
      both,
      [[1, -1, -1], []],
    ],
    [
      'is known by its session beside another id',
      [faulty('cut', { id: undefined }), answers({}, { id: 7, session: 's' })],
      both,
      [[1, -1, -1], []],
    ],
    [
      'is known by its id first',
      [whole, faulty('cut', { id: undefined }), answers({}, { session: 's' })],
      both,
      [[-1, -1, -1], []],
    ],
    ['is not another one', [half, answers({}, { id: 2 })], both, [[-1, -1, -1], []]],
    ['is not another actor’s', [half, answers({}, { actor: 'server' })], both, [[-1, -1, -1], []]],
    [
      'that only came late is as others',
      [faulty(undefined, { sent: { rule, did: ['delay'] } }), answers(refuses)],
      both,
      [[-1, -1, 1], ['no']],
    ],
    [
      'that only came late delivers its rule when answered',
      [faulty(undefined, { sent: { rule, did: ['delay'] } })],
      atClient(rule),
      undefined,
    ],
    ['whose session ends is no trouble', [faulty('cut', { id: undefined }), left], both, [[-1, -1, -1], []]],
    [
      'whose session ends leaves the actor in peace',
      [faulty('cut', { id: undefined }), left],
      ({ actors }) => actors.client?.trouble,
      undefined,
    ],
    [
      'of another session',
      [faulty('cut', { id: undefined, session: 't' }), left],
      both,
      [[-1, -1, -1], ['gone']],
    ],
    ['refused by status', [faulty('cut', { id: undefined }), status(400)], both, [[-1, -1, 1], ['gone']]],
    [
      'refused by status of an agent that has answered',
      [shows({ alive: true }), faulty('cut', { id: undefined }), status(400)],
      both,
      [[2, -1, 2], []],
    ],
    ['refused for access', [faulty('cut', { id: undefined }), status(401)], both, [[-1, -1, -1], ['gone']]],
    [
      'that breaks the server',
      [faulty('cut', { id: undefined }), status(500)],
      both,
      [[-1, -1, -1], ['gone']],
    ],
    [
      'that is not refused turns nothing down',
      [faulty('cut', { id: undefined }), status(400)],
      ({ turnedDown }) => turnedDown,
      [],
    ],
    [
      'with an unreadable answer is unread in the end',
      [faulty('cut', { id: undefined }), garbage],
      reasons('unread'),
      ['not JSON'],
    ],
    [
      'with an unreadable answer, whose session ends, is unread once',
      [faulty('cut', { id: undefined }), garbage, left, left],
      reasons('unread'),
      ['not JSON'],
    ],
    [
      'with an unreadable refusal is read',
      [faulty('cut', { id: undefined }), garbage, status(400)],
      reasons('unread'),
      [],
    ],
    [
      'with an unreadable answer that breaks off is not cut',
      [faulty('cut', { id: undefined }), malformedFor({ cause: 'cut_off' })],
      (facts) => [reasons('cuts')(facts), reasons('unread')(facts)],
      [[], ['not JSON']],
    ],
    [
      'without an actor is nobody’s',
      [faulty('cut', { id: undefined }), marker('malformed', { session: 's', reason: 'not JSON' })],
      ({ unread }) => unread,
      [{ reason: 'not JSON' }],
    ],
  ]);
});

describe('a marker', () => {
  const connection = (more: object = {}): Fields =>
    marker('connection', { actor: 'client', reason: 'gone', ...more });
  const malformed = (more: object = {}): Fields =>
    marker('malformed', { actor: 'client', reason: 'not JSON', ...more });
  const all = (facts: DeliveryFacts): unknown => [facts.troubles, facts.cuts, facts.unread, facts.overdue];
  const gone = { actor: 'client', reason: 'gone' };
  const unreadable = { actor: 'client', reason: 'not JSON' };
  check([
    [
      'of a phase',
      [marker('phase', { actor: 'server', phase: 'one' })],
      ({ actors }) => actors.server?.phasesEntered,
      ['one'],
    ],
    [
      'of a phase without a name',
      [marker('phase', { actor: 'server' })],
      ({ actors }) => actors.server?.phasesEntered,
      [],
    ],
    [
      'of a phase of nobody',
      [marker('phase', { actor: 'stranger', phase: 'one' })],
      ({ actors }) => Object.keys(actors),
      ['server', 'client'],
    ],
    [
      'that is none of a phase',
      [marker('log', { actor: 'server', phase: 'one' })],
      ({ actors }) => actors.server?.phasesEntered,
      [],
    ],
    ['of a lost connection', [connection()], all, [[gone], [], [], []]],
    [
      '… is the actor’s trouble',
      [connection(), connection({ reason: 'again' })],
      ({ actors }) => actors.client?.trouble,
      'gone',
    ],
    ['… of nobody', [connection({ actor: undefined })], all, [[{ reason: 'gone' }], [], [], []]],
    [
      '… of a stranger',
      [connection({ actor: 'stranger' })],
      ({ actors, troubles }) => [Object.keys(actors).length, troubles.length],
      [2, 1],
    ],
    ['… where nobody was', [connection({ absent: true })], all, [[{ ...gone, absent: true }], [], [], []]],
    ['… that is a cut', [connection({ cause: 'cut_off' })], all, [[], [gone], [], []]],
    ['… that could not be read', [connection({ cause: 'unread' })], all, [[], [], [gone], []]],
    ['of a connection that only opens', [connection({ reason: undefined })], all, [[], [], [], []]],
    ['of a connection with other words', [connection({ reason: 7 })], all, [[], [], [], []]],
    ['of what cannot be read', [malformed()], all, [[], [], [unreadable], []]],
    [
      '… without a word',
      [malformed({ reason: undefined })],
      all,
      [[], [], [{ ...unreadable, reason: '' }], []],
    ],
    ['… and breaks off', [malformed({ cause: 'cut_off' })], all, [[], [unreadable], [], []]],
    ['… after the end', [malformed({ late: true })], all, [[], [], [], []]],
    ['… is no trouble', [malformed()], ({ actors }) => actors.client?.trouble, undefined],
    [
      'of an expression that took too long',
      [marker('log', { actor: 'client', cause: 'unjudged', message: 'slow' })],
      all,
      [[], [], [], [{ actor: 'client', reason: 'slow' }]],
    ],
    ['… without a word', [marker('log', { cause: 'unjudged' })], all, [[], [], [], [{ reason: '' }]]],
    ['of a log', [marker('log', { message: 'slow' })], all, [[], [], [], []]],
    [
      'of something else with this cause',
      [marker('phase', { cause: 'unjudged', message: 'slow' })],
      all,
      [[], [], [], []],
    ],
  ]);
});

describe('a refusal by status', () => {
  const refused = (status: unknown, more: object = {}): Fields =>
    marker('connection', { actor: 'client', session: 's', reason: 'no', cause: 'trouble', status, ...more });
  const question = asks(['/a'], { session: 's' });
  const down = ({ turnedDown }: DeliveryFacts): unknown => turnedDown.map(({ pieces }) => pieces);
  test.each([
    [399, false],
    [400, true],
    [401, false],
    [403, false],
    [404, false],
    [408, false],
    [422, true],
    [429, false],
    [499, true],
    [500, false],
    ['400', false],
  ])('%s', (status, isRefusal) => {
    const { troubles, lastRefusal, turnedDown } = factsOf([question, refused(status)]);
    const incident = { actor: 'client', reason: 'no', ...(isRefusal && { refuses: true }) };
    expect([troubles, lastRefusal, turnedDown.length]).toEqual([
      [incident],
      isRefusal ? 1 : -1,
      isRefusal ? 1 : 0,
    ]);
  });
  check([
    ['turns down what was asked', [question, refused(400)], down, [['/a']]],
    ['of a cut is none', [question, refused(400, { cause: 'cut_off' })], down, []],
    ['of another session', [question, refused(400, { session: 't' })], down, []],
    ['of another actor', [question, refused(400, { actor: 'server' })], down, []],
    [
      'turns down all of its session',
      [asks(['/b'], { id: 2, session: 't' }), question, asks(['/c'], { id: 3, session: 's' }), refused(400)],
      down,
      [['/a'], ['/c']],
    ],
    ['turns it down once', [question, refused(400), refused(400)], down, [['/a']]],
    ['is not answered later', [question, refused(400), answers({})], atClient('/a'), undefined],
  ]);
});

describe('what the document keeps back', () => {
  const kept = (more: object = {}): Fields =>
    marker('wire', { ...server, kind: 'wire', pieces: ['/a', '/b/*'], ...more });
  const answersUse: BindingViews = {
    ...view,
    signs: ({ kind, origin, method, mode }) =>
      [kind, origin, method, mode].join() === 'response,attacker,m,mcp_server' ? { use: true } : {},
  };
  check([
    ['has arrived', [shows({}), kept()], arrivalAt('/a'), { seq: 1, byUse: false }],
    ['was sent', [kept()], (facts) => sentOf(facts, '/a', '/b/1', '/c'), [true, true, false]],
    ['has pieces', [kept()], ({ hasPieces }) => hasPieces, true],
    ['has none', [kept({ pieces: undefined })], ({ hasPieces }) => hasPieces, false],
    ['is nobody’s', [kept({ actor: undefined })], ({ hasPieces }) => hasPieces, false],
    [
      'is of a protocol that nobody knows',
      [kept({ protocol: 'voice' })],
      arrivalAt('/a'),
      { seq: 0, byUse: false },
    ],
    ['is kept back by this marker alone', [kept({ kind: 'log' })], arrivalAt('/a'), undefined],
  ]);
  test('has arrived by a use where its answer is one', () => {
    expect(factsOf([kept()], [answersUse]).arrivalOf('server', '/a')).toEqual({ seq: 0, byUse: true });
  });
});

describe('the order of records', () => {
  const at = (seq: number, more: object = {}): Fields => ({ kind: 'log', seq, ...more });
  const ends = (seq: number): Fields => at(seq, { kind: 'end', reason: 'idle', skipped: [] });
  check([
    ['is whole', [at(0), at(1), ends(2)], reasons('cuts'), []],
    ['lacks its beginning', [at(1)], reasons('cuts'), ['record 0 is not in the trace']],
    ['lacks some', [at(0), at(3)], reasons('cuts'), ['records 1 to 2 are not in the trace']],
    ['begins again', [at(0), at(0)], reasons('cuts'), ['the trace holds records of more than one run']],
    ['has its end', [at(0), ends(1)], ({ end }) => end?.seq, 1],
    ['goes on after its end', [ends(0), at(1)], ({ end }) => end, undefined],
  ]);
});
