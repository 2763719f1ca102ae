import { isValueMap, ownValue, type Value, type ValueMap } from '../../model/value.ts';
import type { Spelling } from './spelling.ts';
import { inverted, roles, schemes, states1, states03 } from './words.ts';

// Proto's JSON → A2A as JSON-RPC 0.3 writes it. Parts that are not in proto's spelling stay as they are, so a peer that
// mixes the two is understood.

// Programs that only judge traces read no proto. The marks let bundlers drop these tables.
const plainRoles = /* @__PURE__ */ inverted(roles);
const plainStates = /* @__PURE__ */ inverted(states03, states1);
const plainSchemes = /* @__PURE__ */ inverted(schemes);

export function messageFromProto(spelling: Spelling, message: Value): Value {
  if (!isValueMap(message)) return message;
  const { content, parts, role, ...rest } = message;
  const list = parts ?? content;
  return {
    kind: 'message',
    ...rest,
    ...(role !== undefined && { role: word(role, plainRoles) }),
    ...(list !== undefined && { parts: partsFromProto(spelling, list) }),
  };
}

function partsFromProto({ partFrom }: Spelling, parts: Value): Value {
  return each(parts, (part) => (isValueMap(part) ? partFrom(part) : part));
}

export function taskFromProto(spelling: Spelling, task: Value): Value {
  if (!isValueMap(task)) return task;
  const { status, artifacts, history } = task;
  return {
    kind: 'task',
    ...task,
    ...(status !== undefined && { status: statusFromProto(spelling, status) }),
    ...(artifacts !== undefined && {
      artifacts: each(artifacts, (artifact) => artifactFromProto(spelling, artifact)),
    }),
    ...(history !== undefined && {
      history: each(history, (message) => messageFromProto(spelling, message)),
    }),
  };
}

function statusFromProto(spelling: Spelling, status: Value): Value {
  if (!isValueMap(status)) return status;
  const { state, message, update, ...rest } = status;
  const said = message ?? update;
  return {
    ...rest,
    ...(state !== undefined && { state: word(state, plainStates) }),
    ...(said !== undefined && { message: messageFromProto(spelling, said) }),
  };
}

function artifactFromProto(spelling: Spelling, artifact: Value): Value {
  if (!isValueMap(artifact) || artifact.parts === undefined) return artifact;
  return { ...artifact, parts: partsFromProto(spelling, artifact.parts) };
}

const endStates: ReadonlySet<Value | undefined> = new Set(['completed', 'canceled', 'failed', 'rejected']);

export function itemFromProto(spelling: Spelling, item: Value): Value {
  if (!isValueMap(item) || item.kind !== undefined) return item;
  const { task, statusUpdate, artifactUpdate } = item;
  const message = item.message ?? item.msg;
  if (isValueMap(task)) return taskFromProto(spelling, task);
  if (isValueMap(statusUpdate)) {
    const status =
      statusUpdate.status === undefined ? undefined : statusFromProto(spelling, statusUpdate.status);
    const isEnd = isValueMap(status) && endStates.has(status.state);
    return {
      kind: 'status-update',
      // Proto omits false. If the era has no such field, the state decides.
      final: !spelling.saysFinal && isEnd,
      ...statusUpdate,
      ...(status !== undefined && { status }),
    };
  }
  if (isValueMap(artifactUpdate))
    return {
      kind: 'artifact-update',
      ...artifactUpdate,
      ...(artifactUpdate.artifact !== undefined && {
        artifact: artifactFromProto(spelling, artifactUpdate.artifact),
      }),
    };
  return isValueMap(message) ? messageFromProto(spelling, message) : item;
}

export function sendParamsFromProto(spelling: Spelling, body: ValueMap): ValueMap {
  const { message, request, configuration, ...rest } = body;
  const said = message ?? request;
  return {
    ...(said !== undefined && { message: messageFromProto(spelling, said) }),
    ...(configuration !== undefined && {
      configuration: isValueMap(configuration) ? spelling.configurationFrom(configuration) : configuration,
    }),
    ...rest,
  };
}

export function pushConfigFromProto(spelling: Spelling, config: Value): Value {
  return isValueMap(config) ? spelling.taskConfigFrom(config) : config;
}

export function cardFromProto(card: Value): Value {
  if (!isValueMap(card)) return card;
  const { securitySchemes, security, skills } = card;
  return {
    ...card,
    ...(isValueMap(securitySchemes) && {
      securitySchemes: Object.fromEntries(
        Object.entries(securitySchemes).map(([name, scheme]) => [name, schemeFromProto(scheme)]),
      ),
    }),
    ...(security !== undefined && { security: each(security, securityFromProto) }),
    ...(skills !== undefined && {
      skills: each(skills, (skill) =>
        isValueMap(skill) && skill.security !== undefined
          ? { ...skill, security: each(skill.security, securityFromProto) }
          : skill,
      ),
    }),
  };
}

function schemeFromProto(scheme: Value): Value {
  if (!isValueMap(scheme)) return scheme;
  const [name] = Object.keys(scheme);
  const type = name === undefined ? undefined : ownValue(plainSchemes, name);
  const inner = name === undefined ? undefined : scheme[name];
  if (type === undefined || !isValueMap(inner)) return scheme;
  const { location, ...rest } = inner;
  return { type, ...rest, ...(location !== undefined && { in: location }) };
}

function securityFromProto(security: Value): Value {
  if (!isValueMap(security) || !isValueMap(security.schemes)) return security;
  return Object.fromEntries(
    Object.entries(security.schemes).map(([name, list]) => [
      name,
      isValueMap(list) ? (list.list ?? []) : list,
    ]),
  );
}

function word(value: Value, table: { readonly [word: string]: string }): Value {
  return typeof value === 'string' ? (ownValue(table, value) ?? value) : value;
}

function each(list: Value, change: (item: Value) => Value): Value {
  return Array.isArray(list) ? (list as readonly Value[]).map(change) : list;
}
