import { isValueMap, ownValue, type Value, type ValueMap } from '../../model/value.ts';
import { kept, type Spelling } from './spelling.ts';
import { roles, schemes } from './words.ts';

// A2A as JSON-RPC 0.3 writes it → proto's JSON in the spelling of an era. Only known fields are rewritten. All others stay
// as they are, so that JSON carries them and gRPC can report that it does not.

type Table = { readonly [word: string]: string };

function messageToProto(spelling: Spelling, message: Value): Value {
  if (!isValueMap(message)) return message;
  const { kind, parts, role, ...rest } = message;
  return {
    ...rest,
    ...kept('kind', kind, 'message'),
    ...(role !== undefined && { role: word(role, roles) }),
    ...(parts !== undefined && { [spelling.parts]: partsToProto(spelling, parts) }),
  };
}

function partsToProto({ partTo }: Spelling, parts: Value): Value {
  return each(parts, (part) => (isValueMap(part) ? partTo(part) : part));
}

export function taskToProto(spelling: Spelling, task: Value): Value {
  if (!isValueMap(task)) return task;
  const { kind, status, artifacts, history, ...rest } = task;
  return {
    ...rest,
    ...kept('kind', kind, 'task'),
    ...(status !== undefined && { status: statusToProto(spelling, status) }),
    ...(artifacts !== undefined && {
      artifacts: each(artifacts, (artifact) => artifactToProto(spelling, artifact)),
    }),
    ...(history !== undefined && { history: each(history, (message) => messageToProto(spelling, message)) }),
  };
}

function statusToProto(spelling: Spelling, status: Value): Value {
  if (!isValueMap(status)) return status;
  const { state, message, ...rest } = status;
  return {
    ...rest,
    ...(state !== undefined && { state: word(state, spelling.states) }),
    ...(message !== undefined && { message: messageToProto(spelling, message) }),
  };
}

function artifactToProto(spelling: Spelling, artifact: Value): Value {
  if (!isValueMap(artifact) || artifact.parts === undefined) return artifact;
  return { ...artifact, parts: partsToProto(spelling, artifact.parts) };
}

/** Converts the answer to a message, or an item of a stream, and puts it under the name of its type. */
export function itemToProto(spelling: Spelling, item: Value): Value {
  if (!isValueMap(item)) return item;
  const { kind, status, artifact, ...rest } = item;
  if (kind === 'status-update') {
    const { final, ...others } = rest;
    const said = spelling.saysFinal
      ? rest
      : { ...others, ...(typeof final !== 'boolean' && kept('final', final, undefined)) };
    return {
      statusUpdate: { ...said, ...(status !== undefined && { status: statusToProto(spelling, status) }) },
    };
  }
  if (kind === 'artifact-update')
    return {
      artifactUpdate: {
        ...rest,
        ...(artifact !== undefined && { artifact: artifactToProto(spelling, artifact) }),
      },
    };
  if (kind === 'task' || (kind === undefined && status !== undefined))
    return { task: taskToProto(spelling, item) };
  if (kind === 'message' || (kind === undefined && item.parts !== undefined))
    return { message: messageToProto(spelling, item) };
  return item;
}

export function sendParamsToProto(spelling: Spelling, params: ValueMap): ValueMap {
  const { message, configuration, ...rest } = params;
  return {
    ...rest,
    ...(message !== undefined && { message: messageToProto(spelling, message) }),
    ...(configuration !== undefined && {
      configuration: isValueMap(configuration) ? spelling.configurationTo(configuration) : configuration,
    }),
  };
}

export function pushConfigToProto(spelling: Spelling, config: Value): Value {
  return isValueMap(config) ? spelling.taskConfigTo(config) : config;
}

/** `requirements` is the key under which the era puts the required security schemes. */
export function cardToProto(card: Value, requirements = 'security'): Value {
  if (!isValueMap(card)) return card;
  const { securitySchemes, security, skills, ...rest } = card;
  return {
    ...rest,
    ...(securitySchemes !== undefined && {
      securitySchemes: isValueMap(securitySchemes)
        ? Object.fromEntries(
            Object.entries(securitySchemes).map(([name, scheme]) => [name, schemeToProto(scheme)]),
          )
        : securitySchemes,
    }),
    ...(security !== undefined && { [requirements]: each(security, securityToProto) }),
    ...(skills !== undefined && { skills: each(skills, (skill) => skillToProto(skill, requirements)) }),
  };
}

function skillToProto(skill: Value, requirements: string): Value {
  if (!isValueMap(skill) || skill.security === undefined) return skill;
  const { security, ...rest } = skill;
  return { ...rest, [requirements]: each(security, securityToProto) };
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
  if (!isValueMap(security) || isValueMap(security.schemes)) return security;
  const named = Object.entries(security).map(([name, list]) => [name, { list }]);
  return { schemes: Object.fromEntries(named) };
}

function word(value: Value, table: Table): Value {
  return typeof value === 'string' ? (ownValue(table, value) ?? value) : value;
}

function each(list: Value, change: (item: Value) => Value): Value {
  return Array.isArray(list) ? (list as readonly Value[]).map(change) : list;
}
