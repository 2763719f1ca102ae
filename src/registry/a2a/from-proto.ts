import { isValueMap, ownValue, type Value, type ValueMap } from '../../model/value.ts';
import { inverted, roles, schemes, states } from './words.ts';

// The way back. A peer that writes REST as JSON-RPC does is understood too: what is not proto's is left alone.

const plainRoles = inverted(roles);
const plainStates = inverted(states);
const plainSchemes = inverted(schemes);

export function messageFromProto(message: Value): Value {
  if (!isValueMap(message)) return message;
  const { content, parts, role, ...rest } = message;
  const list = parts ?? content;
  return {
    kind: 'message',
    ...rest,
    ...(role !== undefined && { role: word(role, plainRoles) }),
    ...(list !== undefined && { parts: each(list, partFromProto) }),
  };
}

function partFromProto(part: Value): Value {
  if (!isValueMap(part)) return part;
  const kind = ['text', 'file', 'data'].find((key) => part[key] !== undefined);
  const { file, data } = part;
  return {
    ...(kind !== undefined && { kind }),
    ...part,
    ...(isValueMap(file) && { file: fileFromProto(file) }),
    ...(isValueMap(data) && part.kind === undefined && isValueMap(data.data) && { data: data.data }),
  };
}

function fileFromProto({ fileWithUri, fileWithBytes, ...rest }: ValueMap): ValueMap {
  return {
    ...rest,
    ...(fileWithUri !== undefined && { uri: fileWithUri }),
    ...(fileWithBytes !== undefined && { bytes: fileWithBytes }),
  };
}

export function taskFromProto(task: Value): Value {
  if (!isValueMap(task)) return task;
  const { status, artifacts, history } = task;
  return {
    kind: 'task',
    ...task,
    ...(status !== undefined && { status: statusFromProto(status) }),
    ...(artifacts !== undefined && { artifacts: each(artifacts, artifactFromProto) }),
    ...(history !== undefined && { history: each(history, messageFromProto) }),
  };
}

function statusFromProto(status: Value): Value {
  if (!isValueMap(status)) return status;
  const { state, message, update, ...rest } = status;
  const said = message ?? update;
  return {
    ...rest,
    ...(state !== undefined && { state: word(state, plainStates) }),
    ...(said !== undefined && { message: messageFromProto(said) }),
  };
}

function artifactFromProto(artifact: Value): Value {
  if (!isValueMap(artifact) || artifact.parts === undefined) return artifact;
  return { ...artifact, parts: each(artifact.parts, partFromProto) };
}

export function itemFromProto(item: Value): Value {
  if (!isValueMap(item) || item.kind !== undefined) return item;
  const { task, statusUpdate, artifactUpdate } = item;
  const message = item.message ?? item.msg;
  if (isValueMap(task)) return taskFromProto(task);
  if (isValueMap(statusUpdate))
    return {
      kind: 'status-update',
      // What proto leaves out is false.
      final: false,
      ...statusUpdate,
      ...(statusUpdate.status !== undefined && { status: statusFromProto(statusUpdate.status) }),
    };
  if (isValueMap(artifactUpdate))
    return {
      kind: 'artifact-update',
      ...artifactUpdate,
      ...(artifactUpdate.artifact !== undefined && { artifact: artifactFromProto(artifactUpdate.artifact) }),
    };
  return isValueMap(message) ? messageFromProto(message) : item;
}

export function sendParamsFromProto(body: ValueMap): ValueMap {
  const { message, request, configuration, ...rest } = body;
  const said = message ?? request;
  return {
    ...(said !== undefined && { message: messageFromProto(said) }),
    ...(configuration !== undefined && { configuration: configurationFromProto(configuration) }),
    ...rest,
  };
}

function configurationFromProto(configuration: Value): Value {
  if (!isValueMap(configuration) || configuration.pushNotification === undefined) return configuration;
  const { pushNotification, ...rest } = configuration;
  return { ...rest, pushNotificationConfig: pushNotification };
}

const configName = /^tasks\/([^/]+)(?:\/pushNotificationConfigs\/([^/]*))?$/;

/** The ids that a resource's name is made of. */
export function idsIn(name: Value | undefined): { readonly taskId?: string; readonly configId?: string } {
  const [, taskId, configId] = (typeof name === 'string' ? configName.exec(name) : null) ?? [];
  return {
    ...(taskId !== undefined && { taskId }),
    ...(configId !== undefined && configId !== '' && { configId }),
  };
}

export function pushConfigFromProto(config: Value): Value {
  if (!isValueMap(config)) return config;
  const { name, ...rest } = config;
  const { taskId } = idsIn(name);
  return taskId === undefined ? config : { taskId, ...rest };
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
