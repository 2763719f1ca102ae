import type { Diagnostic } from '../../../format/model/errors.ts';
import { isValueMap, type Value } from '../../../format/model/value.ts';
import { sendPush } from '../../../format/registry/a2a/a2a-era.ts';
import { toOwnOperationName } from '../../../format/registry/protocol-operations.ts';
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
import { isA2aMessage, isAtRest, isOpenTask, readMapText, readStateOfTask, readTaskId } from './a2a-shapes.ts';
import { toOwnParams } from './a2a-spelling-1.ts';
import { a2aViews } from './a2a-views.ts';
import { planClientPush } from './plan-push.ts';

// Format spec §7.2.5: we are the client agent. Each action is one operation; its params are sent as written.

/**
 * A2A, the client’s side: the requests of an `a2a_client` actor, and how it reads the answers. Push notifications go to
 * the agent’s machine and to `allowedHosts`.
 */
export function createA2aClientBinding(allowedHosts: readonly string[] = []): ClientBinding {
  return {
    mode: 'a2a_client',
    protocol: 'a2a',
    views: a2aViews,
    hasIds: true,
    operationName: (name) => toOwnOperationName('a2a', name),
    acts: (state) => compileA2aActions(isValueMap(state) ? state.actions : undefined),
    entryAction: (name, value, { endpoint }) =>
      name === sendPush ? planClientPush(value, endpoint?.url ?? '', allowedHosts) : undefined,
    lasting: { progress: readA2aProgress, poll: (id) => ({ method: 'tasks/get', params: { id } }) },
    reader: ({ method, params }) => createA2aReader({ method, request: params ?? {}, isComplete: false }),
  };
}

/** The client binding for actors that send push notifications to the agent’s machine alone. */
export const a2aClient: ClientBinding = createA2aClientBinding();

/** Operations that start a task of ours. Other operations may report tasks of any client. */
const begins = new Set(['message/send', 'message/stream']);

function readA2aProgress({ method, params }: PeerRequest, content: Value): Progress | undefined {
  const name = readTaskId(content) ?? readMapText(params, 'id');
  if (name === undefined || readStateOfTask(content) === undefined) return undefined;
  if (!isOpenTask(content)) return { name, state: 'over' };
  return { name, state: begins.has(method) ? 'begun' : 'going on' };
}

function compileA2aActions(list: Value | undefined): Acts {
  const warnings: Diagnostic[] = [];
  const acts = (Array.isArray(list) ? (list as readonly Value[]) : []).flatMap((action, index): readonly Act[] => {
    if (isValueMap(action) && typeof action.method === 'string') {
      const written = String(action.method);
      const method = toOwnOperationName('a2a', written);
      const { params } = action;
      const content = (fill: Fill): Value | undefined =>
        params === undefined ? undefined : toOwnParams(method, fill(params), method !== written);
      return [{ method, content, pieces: [`/actions/${index}`] }];
    }
    const message = `\`actions[${index}]\` has no method, so it is skipped`;
    warnings.push({ severity: 'warning', code: 'O-111', message });
    return [];
  });
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

function createA2aReader(stream: Stream): Reader {
  return {
    read(item) {
      // Only an item with a state can say that it is the last: the task may still go on after the last artifact.
      const isLast = isValueMap(item) && item.final === true && readStateOfTask(item) !== undefined;
      const isOver = isA2aMessage(item) || isLast;
      const hasTask = isOpenTask(item) && readTaskId(item) !== undefined;
      const isComplete = isOver || isAtRest(item);
      const next = createA2aReader({ ...stream, isComplete, ...(hasTask && { hasTask }) });
      return { next, events: readItemEvents(item, stream), ...(isOver && { isOver: true }) };
    },
    end: () => (stream.isComplete || stream.hasTask ? undefined : 'the stream ended before the task did'),
  };
}

const updates: { readonly [kind: string]: string } = {
  'status-update': 'task/status',
  'artifact-update': 'task/artifact',
};

/** Format spec §7.2.2: every item is an event of the call. An update is an event of its own as well. */
function readItemEvents(item: Value, { method, request }: Stream): readonly CarriedEvent[] {
  const kind = isValueMap(item) && typeof item.kind === 'string' ? item.kind : '';
  const update = Object.hasOwn(updates, kind) ? updates[kind] : undefined;
  const own: CarriedEvent = { method, content: item, request };
  return update === undefined ? [own] : [own, { method: update, content: item, request }];
}
