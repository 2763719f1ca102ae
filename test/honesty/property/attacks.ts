import fc from 'fast-check';
import type { ValueMap } from '../../../src/index.ts';

// Random documents. Every place that can reach the agent holds a unique word, so that a search for it needs no
// knowledge of how pieces are tracked.

/** The word that the agent must not send. */
export const secret = 'hunter2';

/** A place of the document that can reach the agent. */
export interface Place {
  readonly word: string;
  readonly actor: string;
  readonly mode: string;
  readonly phase: string;
  readonly kind: Kind;
  /** The pointer within the phase, for marks. */
  readonly at: string;
  /** Whether it has a template that never resolves. */
  readonly isOpen: boolean;
}

export type Kind =
  | 'tool'
  | 'tool answer'
  | 'resource'
  | 'resource content'
  | 'prompt'
  | 'prompt answer'
  | 'instructions'
  | 'elicitation'
  | 'message'
  | 'history'
  | 'action';

export type Looking = 'for the secret' | 'at our own answers' | 'with a judge';

export interface RandomAttack {
  readonly written: ValueMap;
  readonly places: readonly Place[];
  /** The marked places, and whether each is needed; absent if the document has no marks. */
  readonly marks?: readonly { readonly place: Place; readonly needed: boolean }[];
  /** A key of a state that no binding plays. */
  readonly hasUnplayed: boolean;
  readonly looks: readonly { readonly protocol: string; readonly how: Looking }[];
}

interface ServerPhase {
  readonly tools: number;
  readonly answers: boolean;
  readonly resource: boolean;
  readonly prompt: boolean;
  readonly instructions: boolean;
  readonly elicitation: boolean;
  readonly unplayed: boolean;
  readonly notifies: boolean;
  readonly inherits: boolean;
  readonly isOpen: boolean;
  readonly event: string;
  readonly count: number;
}

const seldom = fc.integer({ min: 0, max: 9 }).map((chance) => chance === 0);
const sometimes = fc.integer({ min: 0, max: 3 }).map((chance) => chance === 0);
const often = fc.integer({ min: 0, max: 3 }).map((chance) => chance > 0);

const serverPhase: fc.Arbitrary<ServerPhase> = fc.record({
  tools: fc.integer({ min: 1, max: 2 }),
  answers: often,
  resource: sometimes,
  prompt: seldom,
  instructions: seldom,
  elicitation: sometimes,
  unplayed: seldom,
  notifies: fc.boolean(),
  inherits: seldom,
  isOpen: seldom,
  event: fc.constantFrom('tools/call', 'tools/list'),
  count: fc.integer({ min: 1, max: 2 }),
});
const server = fc.record({
  mode: fc.constant('mcp_server' as const),
  phases: fc.array(serverPhase, { minLength: 1, maxLength: 2 }),
});
const user = fc.record({
  mode: fc.constant('ag_ui_client' as const),
  phases: fc.array(fc.record({ history: seldom }), { minLength: 1, maxLength: 2 }),
});
const client = fc.record({
  mode: fc.constant('mcp_client' as const),
  phases: fc.array(fc.record({ actions: fc.integer({ min: 1, max: 2 }) }), { minLength: 1, maxLength: 1 }),
});
const cast = fc.oneof(
  fc.tuple(server),
  fc.tuple(user),
  fc.tuple(client),
  fc.tuple(user, server),
  fc.tuple(server, server),
);

type Actors = typeof cast extends fc.Arbitrary<infer T> ? T : never;

export const randomAttack: fc.Arbitrary<RandomAttack> = fc
  .record({
    actors: cast,
    isMarked: fc.boolean(),
    marks: fc.array(fc.record({ place: fc.nat(), needed: often }), { minLength: 1, maxLength: 3 }),
    odd: fc.oneof(
      { weight: 12, arbitrary: fc.constant(undefined) },
      fc.constantFrom<Looking | 'nowhere'>('at our own answers', 'with a judge', 'nowhere'),
    ),
  })
  .map(({ actors, isMarked, marks, odd }) => build(actors, isMarked ? marks : [], odd));

function build(
  actors: Actors,
  marks: readonly { readonly place: number; readonly needed: boolean }[],
  odd: Looking | 'nowhere' | undefined,
): RandomAttack {
  const places: Place[] = [];
  let hasUnplayed = false;
  const written = actors.map((actor, index) => {
    const name = `actor_${index}`;
    const phases = actor.phases.map((phase, number) => {
      const own = { name: `${name}-${number}` };
      const put = (kind: Kind, at: string, isOpen = false): string => {
        const word = `[word ${places.length}]`;
        places.push({ word, actor: name, mode: actor.mode, phase: own.name, kind, at, isOpen });
        return isOpen ? `${word} {{nobody}}` : word;
      };
      const isLast = number === actor.phases.length - 1;
      if ('history' in phase)
        return { ...own, ...userPhase(phase, put), ...(!isLast && { trigger: { event: 'run_finished' } }) };
      if ('actions' in phase) return { ...own, ...clientPhase(phase.actions, put) };
      const { event, count, notifies, inherits } = phase;
      const doesInherit = inherits && number > 0;
      hasUnplayed ||= phase.unplayed && !doesInherit;
      return {
        ...own,
        ...(!doesInherit && { state: serverState(phase, put) }),
        ...(notifies && { on_enter: [{ send: { method: 'notifications/tools/list_changed' } }] }),
        ...(doesInherit && !notifies && { on_enter: [{ log: { message: 'here', level: 'info' } }] }),
        ...(!isLast && { trigger: { event, count } }),
      };
    });
    return { name, mode: actor.mode, phases };
  });
  const protocols = [...new Set(actors.map(({ mode }) => (mode === 'ag_ui_client' ? 'ag_ui' : 'mcp')))];
  const looks = [
    ...(odd === 'nowhere' ? [] : protocols.map((protocol) => ({ protocol, how: 'for the secret' as const }))),
    ...(odd === undefined || odd === 'nowhere' ? [] : [{ protocol: protocols[0] ?? 'mcp', how: odd }]),
  ];
  const chosen = new Map(marks.map(({ place, needed }) => [places[place % places.length] as Place, needed]));
  const marked = [...chosen].map(([place, needed]) => ({ place, needed }));
  return {
    written: {
      execution: { actors: written },
      ...(looks.length > 0 && { indicators: looks.map(indicatorOf) }),
      ...(marked.length > 0 && {
        'x-payload': marked.map(({ place: { actor, phase, at }, needed }) => ({ actor, phase, at, needed })),
      }),
    },
    places,
    ...(marked.length > 0 && { marks: marked }),
    hasUnplayed,
    looks,
  };
}

type Put = (kind: Kind, at: string, isOpen?: boolean) => string;

function serverState(phase: ServerPhase, put: Put): ValueMap {
  const tools = Array.from({ length: phase.tools }, (_, index) => ({
    name: `tool-${index}`,
    description: put('tool', `/state/tools/${index}/description`, phase.isOpen),
    inputSchema: { type: 'object' },
    ...(phase.answers && {
      responses: [
        {
          content: {
            content: [{ type: 'text', text: put('tool answer', `/state/tools/${index}/responses/0/content`) }],
          },
        },
      ],
    }),
  }));
  return {
    tools,
    ...(phase.resource && {
      resources: [
        {
          uri: 'file:///notes',
          name: 'notes',
          description: put('resource', '/state/resources/0/description'),
          content: { text: put('resource content', '/state/resources/0/content') },
        },
      ],
    }),
    ...(phase.prompt && {
      prompts: [
        {
          name: 'letter',
          description: put('prompt', '/state/prompts/0/description'),
          responses: [
            {
              messages: [
                {
                  role: 'user',
                  content: {
                    type: 'text',
                    text: put('prompt answer', '/state/prompts/0/responses/0/messages'),
                  },
                },
              ],
            },
          ],
        },
      ],
    }),
    ...(phase.instructions && { instructions: put('instructions', '/state/instructions') }),
    ...(phase.elicitation && {
      elicitations: [
        {
          message: put('elicitation', '/state/elicitations/0/message'),
          requestedSchema: { type: 'object', properties: { password: { type: 'string' } } },
        },
      ],
    }),
    ...(phase.unplayed && { intercepted_events: [] }),
  };
}

function userPhase({ history }: { readonly history: boolean }, put: Put): ValueMap {
  const at = '/state/run_agent_input/messages';
  const messages = [
    ...(history ? [{ id: 'h', role: 'assistant', content: put('history', `${at}/0/content`) }] : []),
    { id: 'u', role: 'user', content: put('message', `${at}/${history ? 1 : 0}/content`) },
  ];
  return { state: { run_agent_input: { threadId: 't', messages } } };
}

function clientPhase(count: number, put: Put): ValueMap {
  const actions = Array.from({ length: count }, (_, index) => ({
    method: 'tools/call',
    params: { name: 'find', arguments: { q: put('action', `/state/actions/${index}/params/arguments/q`) } },
  }));
  return { state: { actions } };
}

function indicatorOf({ protocol, how }: { readonly protocol: string; readonly how: Looking }): ValueMap {
  switch (how) {
    case 'for the secret':
      return { protocol, target: '', pattern: { contains: secret } };
    case 'at our own answers':
      return {
        protocol,
        surface: protocol === 'mcp' ? 'tools/call' : 'run_agent_input',
        direction: ownDirection(protocol),
        target: '',
        pattern: { contains: '[word' },
      };
    case 'with a judge':
      return { protocol, target: '', semantic: { intent: 'gives a password away' } };
  }
}

/** A server actor answers; a user actor asks. */
function ownDirection(protocol: string): string {
  return protocol === 'mcp' ? 'response' : 'request';
}
