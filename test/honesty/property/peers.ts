import fc from 'fast-check';
import type { Value, ValueMap } from '../../../src/index.ts';
import { finished, started, text, toolCall } from '../../support/ag-ui-events.ts';
import type { VirtualTransport } from '../../support/virtual-run.ts';
import { secret } from './attacks.ts';

// Random peers: what they do to our server, and how they answer our requests.

/** One thing that a peer does to the server of an actor. */
export type Move =
  | { readonly does: 'greets'; readonly declares: boolean }
  | { readonly does: 'lists'; readonly kind: string }
  | { readonly does: 'calls'; readonly name: string; readonly q: string }
  | { readonly does: 'reads' | 'fetches' | 'pings' | 'babbles' };

export type Reply = 'words' | 'blank' | 'secret' | 'nothing' | 'call' | 'failure' | 'broken off' | 'never';

export interface RandomPeer {
  readonly moves: readonly { readonly actor: number; readonly move: Move }[];
  /** The answers to questions, and to all other requests. */
  readonly decisions: readonly Reply[];
  readonly replies: readonly Reply[];
  readonly end: 'leaves' | 'stays' | 'is stopped';
  /** Whether it is an unknown client that connects, or an agent that we have launched. */
  readonly isLaunched: boolean;
  /** The declarations of its adapter: that it cannot be given a history, and that it has missed something. */
  readonly lacksHistory: boolean;
  readonly missed: boolean;
  readonly exit: 'none' | 'fails';
}

const move: fc.Arbitrary<Move> = fc.oneof(
  fc.record({ does: fc.constant('greets' as const), declares: fc.boolean() }),
  {
    weight: 4,
    arbitrary: fc.record({
      does: fc.constant('lists' as const),
      kind: fc.constantFrom('tools', 'tools', 'resources', 'prompts'),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      does: fc.constant('calls' as const),
      name: fc.constantFrom('tool-0', 'tool-0', 'tool-1', 'nobody'),
      q: fc.integer({ min: 0, max: 30 }).map((chance) => (chance === 0 ? secret : 'weather')),
    }),
  },
  { weight: 2, arbitrary: fc.record({ does: fc.constantFrom('reads' as const, 'fetches' as const) }) },
  fc.record({ does: fc.constant('pings' as const) }),
);
const babble: fc.Arbitrary<Move> = fc.record({ does: fc.constant('babbles' as const) });

const reply = fc.oneof(
  { weight: 12, arbitrary: fc.constant('words' as const) },
  fc.constantFrom<Reply>('blank', 'secret', 'nothing', 'call', 'failure', 'broken off', 'never'),
);

export const randomPeer: fc.Arbitrary<RandomPeer> = fc.record({
  moves: fc.array(fc.record({ actor: fc.nat({ max: 1 }), move: fc.oneof({ weight: 60, arbitrary: move }, babble) }), {
    minLength: 0,
    maxLength: 14,
    size: 'max',
  }),
  decisions: fc.array(fc.constantFrom<Reply>('words', 'words', 'secret', 'failure', 'never'), {
    minLength: 6,
    maxLength: 6,
  }),
  replies: fc.array(reply, { minLength: 6, maxLength: 6 }),
  end: fc.oneof(
    { weight: 8, arbitrary: fc.constant('leaves' as const) },
    fc.constantFrom('stays' as const, 'is stopped' as const),
  ),
  isLaunched: fc.boolean(),
  lacksHistory: fc.boolean(),
  missed: fc.integer({ min: 0, max: 12 }).map((chance) => chance === 0),
  exit: fc.integer({ min: 0, max: 12 }).map((chance) => (chance === 0 ? ('fails' as const) : ('none' as const))),
});

export function act(transport: VirtualTransport, move: Move): void {
  switch (move.does) {
    case 'greets':
      transport.request('initialize', {
        protocolVersion: '2025-11-25',
        capabilities: move.declares ? { elicitation: {} } : {},
        clientInfo: { name: 'peer', version: '1' },
      });
      break;
    case 'lists':
      transport.request(`${move.kind}/list`);
      break;
    case 'calls':
      transport.request('tools/call', { name: move.name, arguments: { q: move.q } });
      break;
    case 'reads':
      transport.request('resources/read', { uri: 'file:///notes' });
      break;
    case 'fetches':
      transport.request('prompts/get', { name: 'letter' });
      break;
    case 'pings':
      transport.request('ping');
      break;
    case 'babbles':
      transport.deliver({ kind: 'malformed', raw: 'b29wcw==', reason: 'not JSON' });
  }
}

/** Answers a request of ours: a question, a call, or a run. The number is that of the request on its connection. */
export function answer(
  transport: VirtualTransport,
  asked: { readonly ask: string; readonly method: string },
  number: number,
  reply: Reply,
): void {
  const { ask, method } = asked;
  const say = (result: Value): void => transport.reply(ask, result);
  const fail = (code: number): void =>
    transport.deliver({
      kind: 'answer',
      session: 's1',
      ask,
      answer: { kind: 'error', error: { code, message: 'no' } },
    });
  if (method === 'initialize')
    say({ protocolVersion: '2025-11-25', capabilities: {}, serverInfo: { name: 's', version: '1' } });
  else if (reply === 'never') return;
  else if (method === 'run_agent_input') stream(transport, number, reply);
  else if (reply === 'failure') fail(-32601);
  else if (reply === 'broken off') fail(-32050);
  else if (method === 'elicitation/create')
    say(reply === 'secret' ? { action: 'accept', content: { password: secret } } : { action: 'decline' });
  else say({ content: [{ type: 'text', text: reply === 'secret' ? secret : 'No.' }] });
}

const said: { readonly [R in Reply]?: readonly ValueMap[] } = {
  words: text('m', 'No.'),
  blank: text('m', ' '),
  secret: text('m', secret),
  call: toolCall('c', 'own', '{}'),
};

function stream(transport: VirtualTransport, number: number, reply: Reply): void {
  transport.stream(number, started, ...(said[reply] ?? []));
  if (reply === 'failure') transport.stream(number, { type: 'RUN_ERROR', message: 'no' });
  else if (reply !== 'broken off') transport.stream(number, finished);
  transport.hangUp(number);
}
