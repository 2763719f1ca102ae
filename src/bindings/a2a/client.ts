import type {
  Act,
  Acts,
  CarriedEvent,
  ClientBinding,
  Fill,
  PeerRequest,
  Progress,
  Reader,
} from '../../engine/binding.ts';
import type { Diagnostic } from '../../model/errors.ts';
import { isValueMap, type Value } from '../../model/value.ts';
import { operationName } from '../../registry/operations.ts';
import { ownParams } from './era-1.ts';
import { isAtRest, isMessage, isOpen, stateOf, taskIdIn, textIn } from './shapes.ts';
import { a2aViews } from './views.ts';

// Format spec §7.2.5: we are the client agent. Each action is one operation; its params are sent as written.

/** A2A, the client’s side: the requests of an `a2a_client` actor, and how it reads the answers. */
export const a2aClient: ClientBinding = {
  mode: 'a2a_client',
  protocol: 'a2a',
  views: a2aViews,
  hasIds: true,
  operationName: (name) => operationName('a2a', name),
  acts: (state) => actionsOf(isValueMap(state) ? state.actions : undefined),
  lasting: { progress, poll: (id) => ({ method: 'tasks/get', params: { id } }) },
  reader: ({ method, params }) => reading({ method, request: params ?? {}, isComplete: false }),
};

/** Operations that start a task of ours. Other operations may report tasks of any client. */
const begins = new Set(['message/send', 'message/stream']);

function progress({ method, params }: PeerRequest, content: Value): Progress | undefined {
  const name = taskIdIn(content) ?? textIn(params, 'id');
  if (name === undefined || stateOf(content) === undefined) return undefined;
  if (!isOpen(content)) return { name, state: 'over' };
  return { name, state: begins.has(method) ? 'begun' : 'going on' };
}

function actionsOf(list: Value | undefined): Acts {
  const warnings: Diagnostic[] = [];
  const acts = (Array.isArray(list) ? (list as readonly Value[]) : []).flatMap(
    (action, index): readonly Act[] => {
      if (isValueMap(action) && typeof action.method === 'string') {
        const written = String(action.method);
        const method = operationName('a2a', written);
        const { params = {} } = action;
        const content = (fill: Fill): Value => ownParams(method, fill(params), method !== written);
        return [{ method, content, pieces: [`/actions/${index}`] }];
      }
      const message = `\`actions[${index}]\` has no method, so it is skipped`;
      warnings.push({ severity: 'warning', code: 'O-111', message });
      return [];
    },
  );
  return { acts, warnings };
}

interface Stream {
  readonly method: string;
  readonly request: Value;
  /** Whether the answer may be complete with the items received so far. */
  readonly isComplete: boolean;
  /** The stream named a task that can be fetched after the stream ends. */
  readonly hasTask?: true;
}

function reading(stream: Stream): Reader {
  return {
    read(item) {
      // Only an item with a state can say that it is the last: the task may still go on after the last artifact.
      const isLast = isValueMap(item) && item.final === true && stateOf(item) !== undefined;
      const isOver = isMessage(item) || isLast;
      const hasTask = isOpen(item) && taskIdIn(item) !== undefined;
      const isComplete = isOver || isAtRest(item);
      const next = reading({ ...stream, isComplete, ...(hasTask && { hasTask }) });
      return { next, events: eventsOf(item, stream), ...(isOver && { isOver: true }) };
    },
    end: () => (stream.isComplete || stream.hasTask ? undefined : 'the stream ended before the task did'),
  };
}

const updates: { readonly [kind: string]: string } = {
  'status-update': 'task/status',
  'artifact-update': 'task/artifact',
};

/** Format spec §7.2.2: every item is an event of the call. An update is an event of its own as well. */
function eventsOf(item: Value, { method, request }: Stream): readonly CarriedEvent[] {
  const kind = isValueMap(item) && typeof item.kind === 'string' ? item.kind : '';
  const update = Object.hasOwn(updates, kind) ? updates[kind] : undefined;
  const own: CarriedEvent = { method, content: item, request };
  return update === undefined ? [own] : [own, { method: update, content: item, request }];
}
