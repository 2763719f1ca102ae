import { isValueMap, type Value, type ValueMap } from '../../../format/model/value.ts';
import {
  convertItemFromProto,
  convertMessageFromProto,
  convertTaskFromProto,
} from '../../../format/registry/a2a/from-proto.ts';
import { findParams1 } from '../../../format/registry/a2a/params-1.ts';
import { spelling1 } from '../../../format/registry/a2a/spelling.ts';
import { convertItemToProto } from '../../../format/registry/a2a/to-proto.ts';
import { isKnownState, readMapText } from './a2a-shapes.ts';

// Documents may spell content as A2A 1.0 does. This file turns it into OATF's spelling; the transport spells it for its
// peer.

const wrappers = ['task', 'message', 'statusUpdate', 'artifactUpdate'];

/** Puts the content of a document into OATF's own spelling. Content in neither spelling stays as it is. */
export function toOwnSpelling(content: Value): Value {
  if (!isValueMap(content) || content.kind !== undefined) return content;
  const { status } = content;
  if (isValueMap(status) && isWord(status.state, 'TASK_STATE_')) return convertTaskFromProto(spelling1, content);
  if (isWord(content.role, 'ROLE_')) return convertMessageFromProto(spelling1, content);
  const [key, ...others] = Object.keys(content);
  if (key === undefined || others.length > 0 || !wrappers.includes(key)) return content;
  return convertItemFromProto(spelling1, content);
}

/** The params of an action in OATF's spelling. `isNamed1`: the action uses the operation name of A2A 1.0. */
export function toOwnParams(method: string, params: Value, isNamed1: boolean): Value {
  if (!isValueMap(params)) return params;
  const isSpelt1 = isNamed1 || isWord(readMapText(params.message, 'role'), 'ROLE_');
  return isSpelt1 ? findParams1(method).from(params) : params;
}

/** The payload for a webhook that was registered in A2A 1.0. */
export function toPushPayload1(payload: Value): Value {
  return convertItemToProto(spelling1, toOwnSpelling(payload));
}

function isWord(value: Value | undefined, prefix: string): boolean {
  return typeof value === 'string' && value.startsWith(prefix);
}

/** Since 1.0 a client can ask for a part of the task list. */
export function filterTaskList1(tasks: readonly ValueMap[], params: ValueMap): ValueMap {
  const state = toState1(params.status);
  const after = typeof params.statusTimestampAfter === 'string' ? params.statusTimestampAfter : '';
  const meant = tasks.filter(
    (task) =>
      (state === undefined || (isValueMap(task.status) && task.status.state === state)) &&
      (readMapText(task.status, 'timestamp') ?? after) >= after,
  );
  const size = Number(params.pageSize ?? usualPage);
  const from = Number(params.pageToken ?? 0);
  const page = meant.slice(from, from + size);
  const next = from + size < meant.length ? String(from + size) : '';
  return {
    tasks: page.map((task) => omitArtifacts(task, params)),
    nextPageToken: next,
    pageSize: size,
    totalSize: meant.length,
  };
}

const usualPage = 50;
const mostOnPage = 100;

/** What is wrong with a request for a list of tasks; undefined for one that A2A allows. */
export function findListFault({ status, statusTimestampAfter, pageSize, pageToken }: ValueMap): string | undefined {
  const size = Number(pageSize ?? usualPage);
  if (!Number.isInteger(size) || size < 1 || size > mostOnPage) return `\`pageSize\` is not from 1 to ${mostOnPage}`;
  if (!/^\d{0,9}$/.test(String(pageToken ?? ''))) return '`pageToken` is none of this server';
  const isState = typeof (status ?? '') === 'string' && isKnownState(toState1(status) ?? 'unknown');
  if (!isState) return '`status` is no state of a task';
  const after = statusTimestampAfter ?? '';
  if (typeof after !== 'string' || (after !== '' && Number.isNaN(Date.parse(after))))
    return '`statusTimestampAfter` is no time';
  return undefined;
}

/** Proto leaves unspecified fields out. */
function toState1(word: Value | undefined): Value | undefined {
  if (typeof word !== 'string' || word === '' || word === 'TASK_STATE_UNSPECIFIED') return undefined;
  const read = convertTaskFromProto(spelling1, { status: { state: word } });
  const status = isValueMap(read) ? read.status : undefined;
  return isValueMap(status) ? status.state : undefined;
}

function omitArtifacts(task: ValueMap, { includeArtifacts }: ValueMap): ValueMap {
  if (includeArtifacts === true || includeArtifacts === 'true') return task;
  const { artifacts: _, ...rest } = task;
  return rest;
}
