import { isValueMap, ownValue, type Value, type ValueMap } from '../../model/value.ts';
import { roles, schemes, states } from './words.ts';

// A2A as JSON-RPC writes it → as proto writes it in JSON. Only what is known is rewritten; everything else stays where
// it is, so that REST carries it as it was written, and gRPC can say that it does not.

type Table = { readonly [word: string]: string };

export function messageToProto(message: Value): Value {
  if (!isValueMap(message)) return message;
  const { kind, parts, role, ...rest } = message;
  return {
    ...rest,
    ...kept('kind', kind, 'message'),
    ...(role !== undefined && { role: word(role, roles) }),
    ...(parts !== undefined && { content: each(parts, partToProto) }),
  };
}

function partToProto(part: Value): Value {
  if (!isValueMap(part)) return part;
  const { kind, ...rest } = part;
  const known = typeof kind === 'string' && Object.hasOwn(rest, kind) ? kind : undefined;
  return {
    ...rest,
    ...kept('kind', kind, known),
    ...(isValueMap(rest.file) && { file: fileToProto(rest.file) }),
    ...(rest.data !== undefined && { data: { data: rest.data } }),
  };
}

function fileToProto({ uri, bytes, ...rest }: ValueMap): ValueMap {
  return {
    ...rest,
    ...(uri !== undefined && { fileWithUri: uri }),
    ...(bytes !== undefined && { fileWithBytes: bytes }),
  };
}

export function taskToProto(task: Value): Value {
  if (!isValueMap(task)) return task;
  const { kind, status, artifacts, history, ...rest } = task;
  return {
    ...rest,
    ...kept('kind', kind, 'task'),
    ...(status !== undefined && { status: statusToProto(status) }),
    ...(artifacts !== undefined && { artifacts: each(artifacts, artifactToProto) }),
    ...(history !== undefined && { history: each(history, messageToProto) }),
  };
}

function statusToProto(status: Value): Value {
  if (!isValueMap(status)) return status;
  const { state, message, ...rest } = status;
  return {
    ...rest,
    ...(state !== undefined && { state: word(state, states) }),
    ...(message !== undefined && { message: messageToProto(message) }),
  };
}

function artifactToProto(artifact: Value): Value {
  if (!isValueMap(artifact) || artifact.parts === undefined) return artifact;
  return { ...artifact, parts: each(artifact.parts, partToProto) };
}

/** What answers a message, or an item of a stream, under the name of what it is. */
export function itemToProto(item: Value): Value {
  if (!isValueMap(item)) return item;
  const { kind, status, artifact, ...rest } = item;
  if (kind === 'status-update')
    return { statusUpdate: { ...rest, ...(status !== undefined && { status: statusToProto(status) }) } };
  if (kind === 'artifact-update')
    return {
      artifactUpdate: { ...rest, ...(artifact !== undefined && { artifact: artifactToProto(artifact) }) },
    };
  if (kind === 'task' || (kind === undefined && status !== undefined)) return { task: taskToProto(item) };
  if (kind === 'message' || (kind === undefined && item.parts !== undefined))
    return { message: messageToProto(item) };
  return item;
}

export function sendParamsToProto(params: ValueMap): ValueMap {
  const { message, configuration, ...rest } = params;
  return {
    ...rest,
    ...(message !== undefined && { message: messageToProto(message) }),
    ...(configuration !== undefined && { configuration: configurationToProto(configuration) }),
  };
}

function configurationToProto(configuration: Value): Value {
  if (!isValueMap(configuration)) return configuration;
  const { pushNotificationConfig, ...rest } = configuration;
  return pushNotificationConfig === undefined
    ? configuration
    : { ...rest, pushNotification: pushNotificationConfig };
}

export function pushConfigToProto(config: Value): Value {
  if (!isValueMap(config)) return config;
  const { taskId, pushNotificationConfig, ...rest } = config;
  const id = isValueMap(pushNotificationConfig) ? (pushNotificationConfig.id ?? '') : '';
  return {
    ...rest,
    ...(taskId !== undefined && { name: `tasks/${String(taskId)}/pushNotificationConfigs/${String(id)}` }),
    ...(pushNotificationConfig !== undefined && { pushNotificationConfig }),
  };
}

export function cardToProto(card: Value): Value {
  if (!isValueMap(card)) return card;
  const { securitySchemes, security, skills } = card;
  return {
    ...card,
    ...(isValueMap(securitySchemes) && {
      securitySchemes: Object.fromEntries(
        Object.entries(securitySchemes).map(([name, scheme]) => [name, schemeToProto(scheme)]),
      ),
    }),
    ...(security !== undefined && { security: each(security, securityToProto) }),
    ...(skills !== undefined && {
      skills: each(skills, (skill) =>
        isValueMap(skill) && skill.security !== undefined
          ? { ...skill, security: each(skill.security, securityToProto) }
          : skill,
      ),
    }),
  };
}

function schemeToProto(scheme: Value): Value {
  const name =
    isValueMap(scheme) && typeof scheme.type === 'string'
      ? ownValue<string>(schemes, scheme.type)
      : undefined;
  if (name === undefined || !isValueMap(scheme)) return scheme;
  const { type: _, in: location, ...rest } = scheme;
  return { [name]: { ...rest, ...(location !== undefined && { location }) } };
}

function securityToProto(security: Value): Value {
  if (!isValueMap(security)) return security;
  const named = Object.entries(security).map(([name, list]) => [name, { list }]);
  return { schemes: Object.fromEntries(named) };
}

/** `kind` says what proto says by the field's name; another one is somebody's own. */
function kept(key: string, value: Value | undefined, implied: string | undefined): ValueMap {
  return value === undefined || value === implied ? {} : { [key]: value };
}

function word(value: Value, table: Table): Value {
  return typeof value === 'string' ? (ownValue(table, value) ?? value) : value;
}

function each(list: Value, change: (item: Value) => Value): Value {
  return Array.isArray(list) ? (list as readonly Value[]).map(change) : list;
}
