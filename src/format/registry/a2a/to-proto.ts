import { getOwnValue, isValueMap, type Value, type ValueMap } from '../../model/value.ts';
import {
  type A2aSpelling,
  convertTaskParts,
  keepUnlessImplied,
  mapItems,
  roles,
  schemes,
  translateWord,
} from './spelling.ts';

// A2A as JSON-RPC 0.3 writes it → proto's JSON in the spelling of an era. Only known fields are rewritten. All others stay
// as they are, so that JSON carries them and gRPC can report that it does not.

function convertMessageToProto(spelling: A2aSpelling, message: Value): Value {
  if (!isValueMap(message)) return message;
  const { kind, parts, role, ...rest } = message;
  return {
    ...rest,
    ...keepUnlessImplied('kind', kind, 'message'),
    ...(role !== undefined && { role: translateWord(role, roles) }),
    ...(parts !== undefined && { [spelling.parts]: convertPartsToProto(spelling, parts) }),
  };
}

function convertPartsToProto({ partTo }: A2aSpelling, parts: Value): Value {
  return mapItems(parts, (part) => (isValueMap(part) ? partTo(part) : part));
}

export function convertTaskToProto(spelling: A2aSpelling, task: Value): Value {
  if (!isValueMap(task)) return task;
  const { kind, status: _status, artifacts: _artifacts, history: _history, ...rest } = task;
  return {
    ...rest,
    ...keepUnlessImplied('kind', kind, 'task'),
    ...convertTaskParts(task, {
      status: (each) => convertStatusToProto(spelling, each),
      artifact: (each) => convertArtifactToProto(spelling, each),
      message: (each) => convertMessageToProto(spelling, each),
    }),
  };
}

function convertStatusToProto(spelling: A2aSpelling, status: Value): Value {
  if (!isValueMap(status)) return status;
  const { state, message, ...rest } = status;
  return {
    ...rest,
    ...(state !== undefined && { state: translateWord(state, spelling.states) }),
    ...(message !== undefined && { message: convertMessageToProto(spelling, message) }),
  };
}

function convertArtifactToProto(spelling: A2aSpelling, artifact: Value): Value {
  if (!isValueMap(artifact) || artifact.parts === undefined) return artifact;
  return { ...artifact, parts: convertPartsToProto(spelling, artifact.parts) };
}

/** Converts the answer to a message, or an item of a stream, and puts it under the name of its type. */
export function convertItemToProto(spelling: A2aSpelling, item: Value): Value {
  if (!isValueMap(item)) return item;
  const { kind, status, artifact, ...rest } = item;
  if (kind === 'status-update') {
    const { final, ...others } = rest;
    const fields = spelling.saysFinal
      ? rest
      : { ...others, ...(typeof final !== 'boolean' && keepUnlessImplied('final', final, undefined)) };
    return {
      statusUpdate: {
        ...fields,
        ...(status !== undefined && { status: convertStatusToProto(spelling, status) }),
      },
    };
  }
  if (kind === 'artifact-update')
    return {
      artifactUpdate: {
        ...rest,
        ...(artifact !== undefined && { artifact: convertArtifactToProto(spelling, artifact) }),
      },
    };
  if (kind === 'task' || (kind === undefined && status !== undefined))
    return { task: convertTaskToProto(spelling, item) };
  if (kind === 'message' || (kind === undefined && item.parts !== undefined))
    return { message: convertMessageToProto(spelling, item) };
  return item;
}

export function sendParamsToProto(spelling: A2aSpelling, params: ValueMap): ValueMap {
  const { message, configuration, ...rest } = params;
  return {
    ...rest,
    ...(message !== undefined && { message: convertMessageToProto(spelling, message) }),
    ...(configuration !== undefined && {
      configuration: isValueMap(configuration) ? spelling.configurationTo(configuration) : configuration,
    }),
  };
}

export function convertPushConfigToProto(spelling: A2aSpelling, config: Value): Value {
  return isValueMap(config) ? spelling.taskConfigTo(config) : config;
}

/** `requirements` is the key under which the era puts the required security schemes. */
export function convertCardToProto(card: Value, requirements = 'security'): Value {
  if (!isValueMap(card)) return card;
  const { securitySchemes, security, skills, ...rest } = card;
  return {
    ...rest,
    ...(securitySchemes !== undefined && {
      securitySchemes: isValueMap(securitySchemes)
        ? Object.fromEntries(
            Object.entries(securitySchemes).map(([name, scheme]) => [name, convertSchemeToProto(scheme)]),
          )
        : securitySchemes,
    }),
    ...(security !== undefined && { [requirements]: mapItems(security, convertSecurityToProto) }),
    ...(skills !== undefined && {
      skills: mapItems(skills, (skill) => convertSkillToProto(skill, requirements)),
    }),
  };
}

function convertSkillToProto(skill: Value, requirements: string): Value {
  if (!isValueMap(skill) || skill.security === undefined) return skill;
  const { security, ...rest } = skill;
  return { ...rest, [requirements]: mapItems(security, convertSecurityToProto) };
}

function convertSchemeToProto(scheme: Value): Value {
  const name =
    isValueMap(scheme) && typeof scheme.type === 'string' ? getOwnValue<string>(schemes, scheme.type) : undefined;
  if (name === undefined || !isValueMap(scheme)) return scheme;
  const { type: _, in: location, ...rest } = scheme;
  return { [name]: { ...rest, ...(location !== undefined && { location }) } };
}

function convertSecurityToProto(security: Value): Value {
  if (!isValueMap(security) || isValueMap(security.schemes)) return security;
  const named = Object.entries(security).map(([name, list]) => [name, { list }]);
  return { schemes: Object.fromEntries(named) };
}
