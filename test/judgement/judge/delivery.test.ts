import { describe, expect, test } from 'vitest';
import type { AgentActivity, BindingViews } from '../../../src/format/model/binding-views.ts';
import { observedProtocol } from '../../../src/format/model/observation.ts';
import type { MessageRecord, TraceRecord } from '../../../src/format/model/trace-record.ts';
import { trackDelivery } from '../../../src/judgement/judge/delivery.ts';
import type { DeliveryFacts } from '../../../src/judgement/judge/delivery-facts.ts';
import { documentWith } from '../../support/records.ts';
import type { Fields } from './small-trace.ts';

// Which facts each record gives. A message says in its content what it shows, so that no binding has a part in this.

const view: BindingViews = {
  protocol: 'mcp',
  pieces: () => [],
  activity: ({ content }) => content as AgentActivity,
  echoes: () => ({ echoesIn: ({ method }) => (method === 'echo' ? [{ path: ['alive'] }] : []) }),
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
function shows(activity: AgentActivity, more: More = {}): Fields {
  return { ...server, kind: 'request', origin: 'agent', content: activity as never, ...more } as Fields;
}

function answers(activity: AgentActivity, more: More = {}): Fields {
  return shows(activity, { ...client, kind: 'response', id: 1, ...more });
}

/** A message of ours with these pieces. */
function carries(pieces: readonly string[] | undefined, more: More = {}, activity: AgentActivity = {}): Fields {
  const fields = { ...server, kind: 'response', origin: 'attacker', content: activity as never, ...more };
  return { ...fields, ...(pieces !== undefined && { pieces }) } as Fields;
}

function asks(pieces: readonly string[] | undefined, more: More = {}, activity: AgentActivity = {}): Fields {
  return carries(pieces, { ...client, kind: 'request', id: 1, ...more }, activity);
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
    facts.findArrival(actor, at, written);
const atClient = (at: string) => arrivalAt(at, undefined, 'client');
const reasons =
  (of: 'troubles' | 'cuts' | 'unread' | 'overdue') =>
  (facts: DeliveryFacts): unknown =>
    facts[of].map(({ reason }) => reason);
const lasts = ({ lastActivity, lastUse, lastRefusal }: DeliveryFacts): unknown => [lastActivity, lastUse, lastRefusal];

describe('trackDelivery without records', () => {
  check([
    [
      'knows an actor that was never reached',
      [],
      ({ actors }) => actors.server,
      { mode: 'mcp_server', phases: ['one'], phases_entered: [], reached: false, engaged: false, served: 0 },
    ],
    ['has no end', [], ({ end }) => end, undefined],
    ['has no pieces and sees no answers', [], ({ hasPieces, isVisible }) => [hasPieces, isVisible], [false, false]],
    ['has no activity, no use and no refusal', [], lasts, [-1, -1, -1]],
    [
      'has no failures, cuts or unread messages',
      [],
      ({ troubles, cuts, unread, overdue, turnedDown }) => [troubles, cuts, unread, overdue, turnedDown],
      [[], [], [], [], []],
    ],
    [
      'has no piece that arrived, was refused, begun or sent',
      [],
      (facts) => [
        facts.findArrival('server', '/a'),
        facts.findRefusal('server', '/a'),
        facts.wasBegun('server', '/a'),
        facts.wasSent('server', '/a'),
      ],
      [undefined, undefined, false, false],
    ],
    [
      'lacks no capability and uses no surface',
      [],
      (facts) => [facts.lacksCapability('server', 'roots'), facts.usesSurface('tools')],
      [false, false],
    ],
  ]);
});

describe('a message that we send', () => {
  check([
    ['counts as served', [carries([]), carries([])], ({ actors }) => actors.server?.served, 2],
    [
      'shows that its phase began',
      [carries([], { phase: 'two' })],
      ({ actors }) => actors.server?.phases_entered,
      ['two'],
    ],
    [
      'may have no phase',
      [{ ...carries([]), phase: undefined } as Fields],
      ({ actors }) => actors.server?.phases_entered,
      [],
    ],
    ['does not make its actor reached', [carries([])], ({ actors }) => actors.server?.reached, false],
    ['of a server does not need to be answered visibly', [carries([])], ({ isVisible }) => isVisible, false],
    ['of a client can be answered visibly', [asks([])], ({ isVisible }) => isVisible, true],
    ['shows no pieces if it lists none', [carries(undefined)], ({ hasPieces }) => hasPieces, false],
    ['shows pieces if it lists them, even none', [carries([])], ({ hasPieces }) => hasPieces, true],
    ['delivers the pieces it lists', [shows({}), carries(['/a'])], arrivalAt('/a'), { seq: 1, byUse: false }],
    ['delivers no piece that it does not list', [carries(['/a'])], arrivalAt('/b'), undefined],
    ['delivers no piece of another actor', [carries(['/a'])], atClient('/a'), undefined],
    [
      'delivers its pieces by use if it answers a use',
      [carries(['/a'], {}, { use: true })],
      arrivalAt('/a'),
      { seq: 0, byUse: true },
    ],
    [
      'delivers each item of a list that it names with *',
      [carries(['/a/*'])],
      arrivalAt('/a/7'),
      { seq: 0, byUse: false },
    ],
    ['delivers nothing inside an item of such a list', [carries(['/a/*'])], arrivalAt('/a/7/b'), undefined],
    [
      'delivers a piece at the first time only',
      [carries(['/a']), carries(['/a'])],
      arrivalAt('/a'),
      { seq: 0, byUse: false },
    ],
    [
      'marks its pieces as sent',
      [carries(['/a', '/b/*'])],
      (facts) => sentOf(facts, '/a', '/b/1', '/c'),
      [true, true, false],
    ],
    [
      'marks its pieces as begun if the connection ends in the middle',
      [carries(undefined, { begun: ['/a', '/b/*'] })],
      (facts) => ['/a', '/b/1', '/c'].map((at) => facts.wasBegun('server', at)),
      [true, true, false],
    ],
    [
      'delivers nothing if the connection ends in the middle',
      [carries(undefined, { begun: ['/a'] })],
      arrivalAt('/a'),
      undefined,
    ],
    [
      'delivers its pieces in an unknown protocol, but by no use',
      [carries(['/a'], { protocol: 'voice' }, { use: true })],
      arrivalAt('/a'),
      { seq: 0, byUse: false },
    ],
    [
      'adds an actor that the document does not have',
      [carries([], { actor: 'stranger' })],
      ({ actors }) => actors.stranger,
      {
        mode: 'mcp_server',
        phases: [],
        phases_entered: ['one'],
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

describe('a message with a template that resolved to nothing', () => {
  const without = (name: string): Fields => carries(['/a'], { unresolved: [name] });
  check([
    ['does not deliver the text with that template', [without('x')], arrivalAt('/a', '{{x}}'), undefined],
    ['delivers the piece itself', [without('x')], arrivalAt('/a'), { seq: 0, byUse: false }],
    ['delivers texts with other templates', [without('x')], arrivalAt('/a', '{{y}} x'), { seq: 0, byUse: false }],
    [
      'delivers the text when the template resolves later',
      [without('x'), carries(['/a'])],
      arrivalAt('/a', '{{x}}'),
      { seq: 1, byUse: false },
    ],
    [
      'delivers the text when its own template resolves, though another did not before',
      [without('x'), without('y'), carries(['/a'])],
      arrivalAt('/a', '{{x}}'),
      { seq: 1, byUse: false },
    ],
    [
      'delivers a text with two templates when both resolve',
      [without('x'), without('y'), carries(['/a'])],
      arrivalAt('/a', '{{x}} {{y}}'),
      { seq: 2, byUse: false },
    ],
    [
      'is not followed by a delivery after 50 tries',
      [...Array.from({ length: 50 }, () => without('x')), carries(['/a'])],
      arrivalAt('/a', '{{x}}'),
      undefined,
    ],
    [
      'is followed by a delivery at the 50th try',
      [...Array.from({ length: 49 }, () => without('x')), carries(['/a'])],
      arrivalAt('/a', '{{x}}'),
      { seq: 49, byUse: false },
    ],
  ]);
});

describe('a request that we send', () => {
  const askedTwice = [asks(['/a']), asks(['/b'], { id: 2 })];
  const inSession = [asks(['/a'], { id: undefined, session: 's' })];
  const question = asks(['/a'], {}, { answersIfDeclared: 'elicitation' });
  const ofClient = shows({ declares: ['elicitation'] }, client);
  check([
    ['has not arrived while nobody answers', [asks(['/a'])], atClient('/a'), undefined],
    ['has arrived when it is answered', [asks(['/a']), answers({})], atClient('/a'), { seq: 0, byUse: false }],
    [
      'has arrived when an event answers it',
      [asks(['/a']), answers({}, { kind: 'event' })],
      atClient('/a'),
      { seq: 0, byUse: false },
    ],
    [
      'has not arrived by a request with the same id',
      [asks(['/a']), answers({}, { kind: 'request' })],
      atClient('/a'),
      undefined,
    ],
    [
      'has not arrived by an answer that we refused',
      [asks(['/a']), answers({}, { refused: 'no' })],
      atClient('/a'),
      undefined,
    ],
    [
      'is matched to its answer by the id',
      [...askedTwice, answers({}, { id: 2 })],
      (facts) => [atClient('/a')(facts), atClient('/b')(facts)],
      [undefined, { seq: 1, byUse: false }],
    ],
    [
      'is matched to its answer by the session if there are no ids',
      [...inSession, answers({}, { id: undefined, session: 's' })],
      atClient('/a'),
      { seq: 0, byUse: false },
    ],
    [
      'is not matched to an answer of another session',
      [...inSession, answers({}, { id: undefined, session: 't' })],
      atClient('/a'),
      undefined,
    ],
    [
      'is matched to an answer if both have neither id nor session',
      [asks(['/a'], { id: undefined }), answers({}, { id: undefined })],
      atClient('/a'),
      { seq: 0, byUse: false },
    ],
    [
      'has not arrived if the answer refuses it',
      [asks(['/a']), answers({ refusal: 'what?' })],
      atClient('/a'),
      undefined,
    ],
    [
      'keeps the reason of its refusal for each of its pieces',
      [asks(['/a', '/b/*']), answers({ refusal: 'what?' })],
      (facts) => ['/a', '/b/1', '/c'].map((at) => facts.findRefusal('client', at)),
      ['what?', 'what?', undefined],
    ],
    [
      'is not refused by a refusal with another id',
      [asks(['/a']), answers({ refusal: 'what?' }, { id: 2 })],
      (facts) => facts.findRefusal('client', '/a'),
      undefined,
    ],
    ['is answered only once', [asks(['/a']), answers({ refusal: 'what?' }), answers({})], atClient('/a'), undefined],
    ['waits for its answer if the capability for it was not declared', [question], atClient('/a'), undefined],
    [
      'has arrived at once if the capability for it was declared',
      [ofClient, question],
      atClient('/a'),
      { seq: 1, byUse: false },
    ],
    [
      'waits for its answer if another capability was declared',
      [shows({ declares: ['roots'] }, client), question],
      atClient('/a'),
      undefined,
    ],
  ]);

  test('is one of at most 10,000 that may wait for an answer', () => {
    const many = Array.from({ length: 10_001 }, (_, id) => asks([`/${id}/x`], { id }));
    const facts = factsOf([...many, answers({}, { id: 9_999 }), answers({}, { id: 10_000 })]);
    expect([9_999, 10_000].map((id) => facts.findArrival('client', `/${id}/x`)?.seq)).toEqual([9_999, undefined]);
  });
});

describe('a message from the agent', () => {
  check([
    ['makes its actor reached', [shows({})], ({ actors }) => actors.server, { ...reached(), engaged: false }],
    [
      'does not count as served by us',
      [shows({})],
      ({ actors, isVisible }) => [actors.server?.served, isVisible],
      [0, false],
    ],
    ['shows no life by itself', [shows({})], lasts, [-1, -1, -1]],
    ['shows life if the binding says so', [shows({}), shows({ alive: true })], lasts, [1, -1, -1]],
    ['shows a use if the binding says so', [shows({}), shows({ use: true })], lasts, [1, 1, -1]],
    ['can show life after an earlier use', [shows({ use: true }), shows({ alive: true })], lasts, [1, 0, -1]],
    [
      'does not engage the actor if it only shows life',
      [shows({ alive: true })],
      ({ actors }) => actors.server?.engaged,
      false,
    ],
    ['engages the actor if it is a use', [shows({ use: true })], ({ actors }) => actors.server?.engaged, true],
    [
      'shows no life if it only repeats what we sent',
      [shows({ alive: true }, { method: 'echo' })],
      lasts,
      [-1, -1, -1],
    ],
    [
      'makes its actor reached even if it only repeats what we sent',
      [shows({ alive: true }, { method: 'echo' })],
      ({ actors }) => actors.server?.reached,
      true,
    ],
    ['counts as a use in an unknown protocol', [shows({}, { protocol: 'voice' })], lasts, [0, 0, -1]],
    [
      'shows nothing if it was only observed',
      [shows({ use: true }, { protocol: observedProtocol })],
      lasts,
      [-1, -1, -1],
    ],
    [
      'adds no actor if it was only observed',
      [shows({}, { protocol: observedProtocol, actor: 'process' })],
      ({ actors }) => Object.keys(actors),
      ['server', 'client'],
    ],
    [
      'is unread if secrets in it were masked',
      [shows({}, { covered: true })],
      ({ unread }) => unread,
      [{ actor: 'server', reason: 'secrets in it were masked when it was stored' }],
    ],
    ['is not unread otherwise', [shows({})], ({ unread }) => unread, []],
  ]);
});

test('a binding without echoes takes every message for the agent’s own', () => {
  const { echoes: _, ...plain } = view;
  expect(lasts(factsOf([shows({ alive: true }, { method: 'echo' })], [plain]))).toEqual([0, -1, -1]);
});

function reached(): object {
  return {
    mode: 'mcp_server',
    phases: ['one'],
    phases_entered: ['one'],
    reached: true,
    served: 0,
    eras: ['2024-11-05'],
  };
}

describe('how the agent found an actor in trackDelivery', () => {
  const refused = (reason: string): Fields => shows({}, { refused: reason });
  const contact = ({ contacts }: DeliveryFacts): unknown => {
    const { isHeard, refusals } = contacts.get('server') ?? {};
    return [isHeard, [...(refusals ?? [])]];
  };
  check([
    ['is nothing without records', [], contact, [false, []]],
    ['is that it was heard if a message was served', [shows({})], contact, [true, []]],
    ['is nothing if only the actor sent something', [carries([])], contact, [false, []]],
    [
      'counts refused messages by reason',
      [refused('a'), refused('b'), refused('a')],
      contact,
      [
        false,
        [
          ['a', 2],
          ['b', 1],
        ],
      ],
    ],
    [
      'counts malformed messages by reason',
      [marker('malformed', { actor: 'server', reason: 'not HTTP' })],
      contact,
      [false, [['not HTTP', 1]]],
    ],
    [
      'keeps 20 reasons, and counts on for those',
      [...Array.from(Array(30).keys(), (at) => refused(`${at}`)), refused('0'), refused('29')],
      ({ contacts }) => {
        const { refusals } = contacts.get('server') ?? {};
        return [refusals?.size, refusals?.get('0'), refusals?.get('29')];
      },
      [20, 2, undefined],
    ],
  ]);
});

describe('the era of an actor in trackDelivery', () => {
  const eras = ({ actors }: DeliveryFacts): unknown => actors.server?.eras;
  check([
    ['is the first era unless a message names one', [shows({})], eras, ['2024-11-05']],
    ['is the era that a message names', [shows({}, { era: '2026-07-28' })], eras, ['2026-07-28']],
    [
      'lists both eras if both were spoken',
      [shows({}), shows({}, { era: '2026-07-28' })],
      eras,
      ['2024-11-05', '2026-07-28'],
    ],
    ['is unknown if a message only probes for it', [shows({ probes: true })], eras, undefined],
    ['is unknown in a protocol without eras', [shows({}, { protocol: 'ag_ui' })], eras, undefined],
    ['is not taken from our own messages', [carries([], { era: '2026-07-28' })], eras, undefined],
  ]);
});

describe('usesSurface of trackDelivery', () => {
  const uses =
    (...names: readonly string[]) =>
    (facts: DeliveryFacts): unknown =>
      names.map((name) => facts.usesSurface(name));
  const lists = (phase: string | undefined, more: More = {}): Fields =>
    shows({ surface: 'tools', lists: true }, { phase, ...more } as More);
  const again = uses('list-changes');
  check([
    ['knows a surface that was used', [shows({ surface: 'tools' })], uses('tools', 'prompts'), [true, false]],
    [
      'knows a surface that was declared',
      [shows({ declares: ['elicitation'] })],
      uses('elicitation', 'sampling'),
      [true, false],
    ],
    [
      'knows a surface that was declared to one of two actors',
      [shows({ declares: ['roots'] }, client)],
      uses('roots'),
      [true],
    ],
    ['does not see list-changes in one list', [lists('one')], again, [false]],
    ['does not see list-changes in two lists of one phase', [lists('one'), lists('one')], again, [false]],
    ['sees list-changes in a list of a later phase', [lists('one'), lists('two')], again, [true]],
    [
      'does not see list-changes in a use in a later phase',
      [lists('one'), shows({ surface: 'tools' }, { phase: 'two' })],
      again,
      [false],
    ],
    [
      'does not see list-changes if a later phase lists another surface',
      [lists('one'), shows({ surface: 'prompts', lists: true }, { phase: 'two' })],
      again,
      [false],
    ],
    [
      'does not see list-changes if the later list is of another actor',
      [lists('one'), lists('two', client)],
      again,
      [false],
    ],
    ['does not see list-changes in lists outside of phases', [lists(undefined), lists(undefined)], again, [false]],
    [
      'does not see list-changes in lists of no surface',
      [shows({ lists: true }), shows({ lists: true }, { phase: 'two' })],
      again,
      [false],
    ],
    ['sees list-changes if the first phase is listed again', [lists('one'), lists('two'), lists('one')], again, [true]],
  ]);
});

describe('lacksCapability of trackDelivery', () => {
  const lacks =
    (...names: readonly string[]) =>
    (facts: DeliveryFacts): unknown =>
      names.map((name) => facts.lacksCapability('server', name));
  check([
    [
      'is true for a capability that is not among those declared',
      [shows({ declares: ['roots'] })],
      lacks('roots', 'sampling'),
      [false, true],
    ],
    ['is true if no capability is declared', [shows({ declares: [] })], lacks('roots'), [true]],
    ['is false if nothing is known of capabilities', [shows({})], lacks('roots'), [false]],
    [
      'is false once the capability is declared',
      [shows({ declares: [] }), shows({ declares: ['roots'] })],
      lacks('roots'),
      [false],
    ],
    ['is false if we refused the declaration', [shows({ declares: [] }, { refused: 'no' })], lacks('roots'), [false]],
    ['is false if the declaration went to another actor', [shows({ declares: [] }, client)], lacks('roots'), [false]],
    ['is false for an actor that nobody saw', [], (facts) => facts.lacksCapability('stranger', 'roots'), false],
  ]);
});

describe('a message that shows a failure', () => {
  const fails = (more: AgentActivity = {}, fields: More = {}): Fields => answers({ trouble: 'no', ...more }, fields);
  check([
    ['adds to the troubles', [fails()], ({ troubles }) => troubles, [{ actor: 'client', reason: 'no' }]],
    [
      'adds a refusal if the failure refuses',
      [fails({ refuses: true })],
      ({ troubles }) => troubles,
      [{ actor: 'client', reason: 'no', refuses: true }],
    ],
    [
      'adds no trouble if we refused the message',
      [fails({ refuses: true }, { refused: 'no' })],
      ({ troubles }) => troubles,
      [],
    ],
    [
      'sets the trouble of its actor, where the first one stays',
      [fails(), fails({ trouble: 'again' })],
      ({ actors }) => actors.client?.trouble,
      'no',
    ],
    ['adds each failure to the troubles', [fails(), fails({ trouble: 'again' })], reasons('troubles'), ['no', 'again']],
    [
      'does not become the trouble of its actor if we refused the message',
      [fails({}, { refused: 'no' })],
      ({ actors }) => actors.client,
      { ...reached(), mode: 'mcp_client', engaged: false },
    ],
    ['is the last refusal if it refuses', [shows({}), fails({ refuses: true })], lasts, [-1, -1, 1]],
    ['is no refusal if it does not refuse', [fails()], lasts, [-1, -1, -1]],
    ['is no refusal if we refused the message', [fails({ refuses: true }, { refused: 'no' })], lasts, [-1, -1, -1]],
    [
      'marks the pieces of the request that it answers as refused',
      [asks(['/a'], { session: 's' }), fails({ refuses: true, refusal: 'what?' })],
      ({ turnedDown }) => turnedDown,
      [{ actor: 'client', session: 's', seq: 0, pieces: ['/a'], unresolved: [] }],
    ],
    ['marks no piece as refused if it is no refusal', [asks(['/a']), fails()], ({ turnedDown }) => turnedDown, []],
    [
      'marks no piece as refused if it answers no request',
      [fails({ refuses: true })],
      ({ turnedDown }) => turnedDown,
      [],
    ],
  ]);
});

describe('a request that an x-wire rule broke', () => {
  const rule = '/phases/0/x-wire/0';
  const faulty = (harm?: string, more: More = {}): Fields =>
    asks([rule, '/a'], {
      session: 's',
      sent: { rule, did: ['bytes'], ...(harm !== undefined && { harm }) },
      ...more,
    });
  const whole = faulty();
  const half = faulty('cut');
  const refuses: AgentActivity = { trouble: 'no', refuses: true, refusal: 'no' };
  const left = marker('connection', { actor: 'client', session: 's', reason: 'gone', cause: 'trouble' });
  const status = (code: number, more: object = {}): Fields => ({ ...left, status: code, ...more }) as Fields;
  const garbage = marker('malformed', { actor: 'client', session: 's', reason: 'not JSON' });
  const malformedFor = (more: object): Fields => ({ ...garbage, ...more }) as Fields;
  const both = (facts: DeliveryFacts): unknown => [lasts(facts), reasons('troubles')(facts)];
  check([
    ['delivers the rule at once', [shows({}), half], atClient(rule), { seq: 1, byUse: false }],
    ['delivers no other piece at once', [half], atClient('/a'), undefined],
    ['delivers its other pieces when it is answered', [half, answers({})], atClient('/a'), { seq: 0, byUse: false }],
    [
      'delivers nothing whose template did not resolve',
      [faulty('cut', { unresolved: ['x'] }), answers({})],
      (facts) => [facts.findArrival('client', '/a', '{{x}}'), facts.findArrival('client', rule, '{{x}}')],
      [undefined, undefined],
    ],
    [
      'is trouble if the agent refuses it, as anything might be refused',
      [half, answers(refuses)],
      both,
      [[-1, -1, 1], ['no']],
    ],
    [
      'is trouble if it went out whole and the agent refuses it',
      [whole, answers(refuses)],
      both,
      [[-1, -1, 1], ['no']],
    ],
    [
      'is activity if the agent that refuses it had answered before',
      [shows({ alive: true }), half, answers(refuses)],
      both,
      [[2, -1, 2], []],
    ],
    [
      'is activity if the agent refuses it and answers later',
      [half, answers(refuses), shows({ use: true })],
      both,
      [[2, 2, 1], []],
    ],
    [
      'is trouble if it fails in another way than a refusal',
      [half, answers({ trouble: 'no' })],
      both,
      [[-1, -1, -1], ['no']],
    ],
    [
      'is trouble if it is refused without a reason',
      [half, answers({ trouble: 'no', refuses: true })],
      both,
      [[-1, -1, 1], ['no']],
    ],
    ['shows life if it was cut and is answered', [half, answers({})], both, [[1, -1, -1], []]],
    ['shows no life if it was whole and is answered', [whole, answers({})], both, [[-1, -1, -1], []]],
    ['shows no life if an event answers it', [half, answers({}, { kind: 'event' })], both, [[-1, -1, -1], []]],
    ['shows the use that its answer shows', [half, answers({ use: true })], both, [[1, 1, -1], []]],
    [
      'is matched to its answer by the session',
      [faulty('cut', { id: undefined }), answers({}, { id: undefined, session: 's' })],
      both,
      [[1, -1, -1], []],
    ],
    [
      'is matched by the session if the answer has an unknown id',
      [faulty('cut', { id: undefined }), answers({}, { id: 7, session: 's' })],
      both,
      [[1, -1, -1], []],
    ],
    [
      'is matched by the id before the session',
      [whole, faulty('cut', { id: undefined }), answers({}, { session: 's' })],
      both,
      [[-1, -1, -1], []],
    ],
    ['is not matched to the answer of another request', [half, answers({}, { id: 2 })], both, [[-1, -1, -1], []]],
    [
      'is not matched to the answer of another actor',
      [half, answers({}, { actor: 'server' })],
      both,
      [[-1, -1, -1], []],
    ],
    [
      'is trouble if it was only delayed and is refused',
      [faulty(undefined, { sent: { rule, did: ['delay'] } }), answers(refuses)],
      both,
      [[-1, -1, 1], ['no']],
    ],
    [
      'does not deliver its rule before an answer if it was only delayed',
      [faulty(undefined, { sent: { rule, did: ['delay'] } })],
      atClient(rule),
      undefined,
    ],
    ['is no trouble if its session ends', [faulty('cut', { id: undefined }), left], both, [[-1, -1, -1], []]],
    [
      'leaves its actor without trouble if its session ends',
      [faulty('cut', { id: undefined }), left],
      ({ actors }) => actors.client?.trouble,
      undefined,
    ],
    [
      'is trouble if another session ends',
      [faulty('cut', { id: undefined, session: 't' }), left],
      both,
      [[-1, -1, -1], ['gone']],
    ],
    [
      'is a refusal and trouble if HTTP 400 answers it',
      [faulty('cut', { id: undefined }), status(400)],
      both,
      [[-1, -1, 1], ['gone']],
    ],
    [
      'shows life if HTTP 400 answers it after the agent had answered before',
      [shows({ alive: true }), faulty('cut', { id: undefined }), status(400)],
      both,
      [[2, -1, 2], []],
    ],
    [
      'is trouble but no refusal if HTTP 401 answers it',
      [faulty('cut', { id: undefined }), status(401)],
      both,
      [[-1, -1, -1], ['gone']],
    ],
    [
      'is trouble but no refusal if HTTP 500 answers it',
      [faulty('cut', { id: undefined }), status(500)],
      both,
      [[-1, -1, -1], ['gone']],
    ],
    [
      'has no refused pieces if HTTP 400 answers it',
      [faulty('cut', { id: undefined }), status(400)],
      ({ turnedDown }) => turnedDown,
      [],
    ],
    [
      'is unread if its answer cannot be read',
      [faulty('cut', { id: undefined }), garbage],
      reasons('unread'),
      ['not JSON'],
    ],
    [
      'is unread once if its answer cannot be read and its session ends',
      [faulty('cut', { id: undefined }), garbage, left, left],
      reasons('unread'),
      ['not JSON'],
    ],
    [
      'is not unread if a refusal that cannot be read comes with HTTP 400',
      [faulty('cut', { id: undefined }), garbage, status(400)],
      reasons('unread'),
      [],
    ],
    [
      'is unread but not cut if its answer cannot be read and ends in the middle',
      [faulty('cut', { id: undefined }), malformedFor({ cause: 'cut_off' })],
      (facts) => [reasons('cuts')(facts), reasons('unread')(facts)],
      [[], ['not JSON']],
    ],
    [
      'is not involved if a message without an actor cannot be read',
      [faulty('cut', { id: undefined }), marker('malformed', { session: 's', reason: 'not JSON' })],
      ({ unread }) => unread,
      [{ reason: 'not JSON' }],
    ],
  ]);
});

describe('a record of trackDelivery that is no message', () => {
  const connection = (more: object = {}): Fields => marker('connection', { actor: 'client', reason: 'gone', ...more });
  const malformed = (more: object = {}): Fields =>
    marker('malformed', { actor: 'client', reason: 'not JSON', ...more });
  const all = (facts: DeliveryFacts): unknown => [facts.troubles, facts.cuts, facts.unread, facts.overdue];
  const gone = { actor: 'client', reason: 'gone' };
  const unreadable = { actor: 'client', reason: 'not JSON' };
  check([
    [
      'starts a phase if it is a phase record',
      [marker('phase', { actor: 'server', phase: 'one' })],
      ({ actors }) => actors.server?.phases_entered,
      ['one'],
    ],
    [
      'starts no phase if the phase has no name',
      [marker('phase', { actor: 'server' })],
      ({ actors }) => actors.server?.phases_entered,
      [],
    ],
    [
      'adds no actor if a phase record names an unknown one',
      [marker('phase', { actor: 'stranger', phase: 'one' })],
      ({ actors }) => Object.keys(actors),
      ['server', 'client'],
    ],
    [
      'starts no phase if it is a log record',
      [marker('log', { actor: 'server', phase: 'one' })],
      ({ actors }) => actors.server?.phases_entered,
      [],
    ],
    ['is trouble if a connection is lost', [connection()], all, [[gone], [], [], []]],
    [
      'sets the trouble of its actor, where the first one stays',
      [connection(), connection({ reason: 'again' })],
      ({ actors }) => actors.client?.trouble,
      'gone',
    ],
    [
      'is trouble without an actor if the lost connection has none',
      [connection({ actor: undefined })],
      all,
      [[{ reason: 'gone' }], [], [], []],
    ],
    [
      'is trouble but adds no actor if a connection of an unknown actor is lost',
      [connection({ actor: 'stranger' })],
      ({ actors, troubles }) => [Object.keys(actors).length, troubles.length],
      [2, 1],
    ],
    [
      'is an absence if a connection found nobody',
      [connection({ absent: true })],
      all,
      [[{ ...gone, absent: true }], [], [], []],
    ],
    ['is a cut if a connection broke off', [connection({ cause: 'cut_off' })], all, [[], [gone], [], []]],
    [
      'is unread if what came over a connection could not be read',
      [connection({ cause: 'unread' })],
      all,
      [[], [], [gone], []],
    ],
    ['is nothing if a connection only opens', [connection({ reason: undefined })], all, [[], [], [], []]],
    ['is nothing if the reason of a connection is no text', [connection({ reason: 7 })], all, [[], [], [], []]],
    ['is unread if it is a malformed message', [malformed()], all, [[], [], [unreadable], []]],
    [
      'is unread with an empty reason if the malformed message has none',
      [malformed({ reason: undefined })],
      all,
      [[], [], [{ ...unreadable, reason: '' }], []],
    ],
    ['is a cut if a malformed message broke off', [malformed({ cause: 'cut_off' })], all, [[], [unreadable], [], []]],
    ['is nothing if a malformed message came after the end', [malformed({ late: true })], all, [[], [], [], []]],
    [
      'is no trouble of its actor if it is a malformed message',
      [malformed()],
      ({ actors }) => actors.client?.trouble,
      undefined,
    ],
    [
      'is overdue if an expression took too long',
      [marker('log', { actor: 'client', cause: 'unjudged', message: 'slow' })],
      all,
      [[], [], [], [{ actor: 'client', reason: 'slow' }]],
    ],
    [
      'is overdue with an empty reason if the log has none',
      [marker('log', { cause: 'unjudged' })],
      all,
      [[], [], [], [{ reason: '' }]],
    ],
    ['is nothing if it is another log', [marker('log', { message: 'slow' })], all, [[], [], [], []]],
    [
      'is nothing if a phase record has the cause unjudged',
      [marker('phase', { cause: 'unjudged', message: 'slow' })],
      all,
      [[], [], [], []],
    ],
  ]);
});

describe('an HTTP status that answers our request', () => {
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
  ])('with the value %s is a refusal: %s', (status, isRefusal) => {
    const { troubles, lastRefusal, turnedDown } = factsOf([question, refused(status)]);
    const incident = { actor: 'client', reason: 'no', ...(isRefusal && { refuses: true }) };
    expect([troubles, lastRefusal, turnedDown.length]).toEqual([[incident], isRefusal ? 1 : -1, isRefusal ? 1 : 0]);
  });
  check([
    ['marks the pieces of the request as refused', [question, refused(400)], down, [['/a']]],
    ['marks no piece as refused if the connection was cut', [question, refused(400, { cause: 'cut_off' })], down, []],
    [
      'marks no piece as refused if it belongs to another session',
      [question, refused(400, { session: 't' })],
      down,
      [],
    ],
    [
      'marks no piece as refused if it belongs to another actor',
      [question, refused(400, { actor: 'server' })],
      down,
      [],
    ],
    [
      'marks the pieces of all requests of its session as refused',
      [asks(['/b'], { id: 2, session: 't' }), question, asks(['/c'], { id: 3, session: 's' }), refused(400)],
      down,
      [['/a'], ['/c']],
    ],
    ['turns a request down only once', [question, refused(400), refused(400)], down, [['/a']]],
    [
      'keeps a later answer from delivering the request',
      [question, refused(400), answers({})],
      atClient('/a'),
      undefined,
    ],
  ]);
});

describe('a message that an x-wire rule holds back', () => {
  const kept = (more: object = {}): Fields =>
    marker('wire', { ...server, kind: 'wire', pieces: ['/a', '/b/*'], ...more });
  const answersUse: BindingViews = {
    ...view,
    activity: ({ kind, origin, method, mode }) =>
      [kind, origin, method, mode].join() === 'response,attacker,m,mcp_server' ? { use: true } : {},
  };
  check([
    ['has arrived', [shows({}), kept()], arrivalAt('/a'), { seq: 1, byUse: false }],
    ['was sent', [kept()], (facts) => sentOf(facts, '/a', '/b/1', '/c'), [true, true, false]],
    ['shows that the trace has pieces', [kept()], ({ hasPieces }) => hasPieces, true],
    ['shows no pieces if it lists none', [kept({ pieces: undefined })], ({ hasPieces }) => hasPieces, false],
    ['shows no pieces if it has no actor', [kept({ actor: undefined })], ({ hasPieces }) => hasPieces, false],
    [
      'has arrived without a use in an unknown protocol',
      [kept({ protocol: 'voice' })],
      arrivalAt('/a'),
      { seq: 0, byUse: false },
    ],
    ['has not arrived if the record is of another kind', [kept({ kind: 'log' })], arrivalAt('/a'), undefined],
  ]);
  test('has arrived by a use if its answer would answer one', () => {
    expect(factsOf([kept()], [answersUse]).findArrival('server', '/a')).toEqual({ seq: 0, byUse: true });
  });
});

describe('the sequence of records in trackDelivery', () => {
  const at = (seq: number, more: object = {}): Fields => ({ kind: 'log', seq, ...more });
  const ends = (seq: number): Fields => at(seq, { kind: 'end', reason: 'idle', skipped: [] });
  check([
    ['has no cut if it is complete', [at(0), at(1), ends(2)], reasons('cuts'), []],
    ['has a cut if its beginning is missing', [at(1)], reasons('cuts'), ['record 0 is not in the trace']],
    [
      'has a cut if records in the middle are missing',
      [at(0), at(3)],
      reasons('cuts'),
      ['records 1 to 2 are not in the trace'],
    ],
    [
      'has a cut if it starts again with 0',
      [at(0), at(0)],
      reasons('cuts'),
      ['the trace holds records of more than one run'],
    ],
    ['ends with its end record', [at(0), ends(1)], ({ end }) => end?.seq, 1],
    ['has no end if records follow the end record', [ends(0), at(1)], ({ end }) => end, undefined],
  ]);
});
