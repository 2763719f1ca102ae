import { dropUndefined, getOwnValue, isValueMap, type Value, type ValueMap } from '../../model/value.ts';

// How each era spells proto's JSON. `to-proto.ts` and `from-proto.ts` hold what the eras share.

// The same words in both spellings: JSON-RPC 0.3 writes them in lower case, proto in capitals.

export const roles = { user: 'ROLE_USER', agent: 'ROLE_AGENT' } as const;

const states = {
  submitted: 'TASK_STATE_SUBMITTED',
  working: 'TASK_STATE_WORKING',
  completed: 'TASK_STATE_COMPLETED',
  failed: 'TASK_STATE_FAILED',
  'input-required': 'TASK_STATE_INPUT_REQUIRED',
  rejected: 'TASK_STATE_REJECTED',
  'auth-required': 'TASK_STATE_AUTH_REQUIRED',
  unknown: 'TASK_STATE_UNSPECIFIED',
} as const;

/** 1.0 spells one state differently. */
export const states03 = { ...states, canceled: 'TASK_STATE_CANCELLED' } as const;
export const states1 = { ...states, canceled: 'TASK_STATE_CANCELED' } as const;

export const schemes = {
  apiKey: 'apiKeySecurityScheme',
  http: 'httpAuthSecurityScheme',
  oauth2: 'oauth2SecurityScheme',
  openIdConnect: 'openIdConnectSecurityScheme',
  mutualTLS: 'mtlsSecurityScheme',
} as const;

type Words = { readonly [word: string]: string };

/** Inverts tables of words. Several tables may map the same word. */
export function invertTables(...tables: readonly Words[]): Words {
  return Object.fromEntries(tables.flatMap((table) => Object.entries(table).map(([word, other]) => [other, word])));
}

/** The word of the other spelling. A word that no table has, and anything else, stays as it is. */
export function translateWord(value: Value, table: Words): Value {
  return typeof value === 'string' ? (getOwnValue(table, value) ?? value) : value;
}

export function mapItems(list: Value, change: (item: Value) => Value): Value {
  return Array.isArray(list) ? (list as readonly Value[]).map(change) : list;
}

interface TaskConverters {
  status(status: Value): Value;
  artifact(artifact: Value): Value;
  message(message: Value): Value;
}

/** Converts the status, the artifacts and the history of a task; parts that it lacks stay away. */
export function convertTaskParts({ status, artifacts, history }: ValueMap, convert: TaskConverters): ValueMap {
  return {
    ...(status !== undefined && { status: convert.status(status) }),
    ...(artifacts !== undefined && { artifacts: mapItems(artifacts, convert.artifact) }),
    ...(history !== undefined && { history: mapItems(history, convert.message) }),
  };
}

export interface A2aSpelling {
  readonly states: { readonly [word: string]: string };
  /** The key of a message's parts. */
  readonly parts: 'content' | 'parts';
  /** Whether an update says that it is the last one. If not, the end of its stream shows it. */
  readonly saysFinal: boolean;
  partTo(part: ValueMap): Value;
  partFrom(part: ValueMap): Value;
  configurationTo(configuration: ValueMap): Value;
  configurationFrom(configuration: ValueMap): Value;
  /** Converts a push notification config together with its task. */
  taskConfigTo(config: ValueMap): Value;
  taskConfigFrom(config: ValueMap): Value;
}

export const spelling03: A2aSpelling = {
  states: states03,
  parts: 'content',
  saysFinal: true,
  partTo(part) {
    const { kind, ...rest } = part;
    const known = typeof kind === 'string' && Object.hasOwn(rest, kind) ? kind : undefined;
    return {
      ...rest,
      ...keepUnlessImplied('kind', kind, known),
      ...(isValueMap(rest.file) && { file: renameKeys(rest.file, fileNames03) }),
      ...(rest.data !== undefined && { data: { data: rest.data } }),
    };
  },
  partFrom(part) {
    const kind = ['text', 'file', 'data'].find((key) => part[key] !== undefined);
    const { file, data } = part;
    return {
      ...(kind !== undefined && { kind }),
      ...part,
      ...(isValueMap(file) && { file: renameKeys(file, plainFileNames03) }),
      ...(isValueMap(data) && part.kind === undefined && isValueMap(data.data) && { data: data.data }),
    };
  },
  configurationTo: ({ pushNotificationConfig, ...rest }) => ({
    ...rest,
    ...(pushNotificationConfig !== undefined && { pushNotification: pushNotificationConfig }),
  }),
  configurationFrom: ({ pushNotification, ...rest }) => ({
    ...rest,
    ...(pushNotification !== undefined && { pushNotificationConfig: pushNotification }),
  }),
  taskConfigTo({ taskId, pushNotificationConfig, ...rest }) {
    const id = isValueMap(pushNotificationConfig) ? (pushNotificationConfig.id ?? '') : '';
    return {
      ...rest,
      ...(taskId !== undefined && { name: `tasks/${String(taskId)}/pushNotificationConfigs/${String(id)}` }),
      ...(pushNotificationConfig !== undefined && { pushNotificationConfig }),
    };
  },
  taskConfigFrom(config) {
    const { name, ...rest } = config;
    const { taskId } = parseResourceName(name);
    return taskId === undefined ? config : { taskId, ...rest };
  },
};

const fileNames03: Words = { uri: 'fileWithUri', bytes: 'fileWithBytes' };
const plainFileNames03: Words = { fileWithUri: 'uri', fileWithBytes: 'bytes' };

export const spelling1: A2aSpelling = {
  states: states1,
  parts: 'parts',
  saysFinal: false,
  partTo(part) {
    const { kind, file, ...rest } = part;
    if (kind === 'file' && isValueMap(file) && !holds1(rest)) return { ...rest, ...renameKeys(file, fileNames1) };
    if ((kind === 'text' || kind === 'data') && Object.hasOwn(rest, kind) && file === undefined) return rest;
    return part;
  },
  partFrom(part) {
    const members = ['text', 'raw', 'url', 'data'].filter((key) => part[key] !== undefined);
    const [member = ''] = members;
    // A part with several members has no counterpart in the other era.
    if (members.length !== 1 || part.kind !== undefined || part.file !== undefined) return part;
    if (member === 'text' || member === 'data') return { kind: member, ...part };
    const { raw, url, filename, mediaType, ...rest } = part;
    const file = renameKeys(dropUndefined({ url, raw, filename, mediaType }), plainFileNames1);
    return { kind: 'file', file, ...rest };
  },
  configurationTo({ pushNotificationConfig, blocking, ...rest }) {
    return {
      ...rest,
      ...(pushNotificationConfig !== undefined && {
        taskPushNotificationConfig: convertConfigTo1(pushNotificationConfig),
      }),
      ...(blocking !== undefined && (typeof blocking === 'boolean' ? { returnImmediately: !blocking } : { blocking })),
    };
  },
  configurationFrom({ taskPushNotificationConfig, returnImmediately, ...rest }) {
    return {
      ...rest,
      ...(taskPushNotificationConfig !== undefined && {
        pushNotificationConfig: convertConfigFrom1(taskPushNotificationConfig),
      }),
      ...(returnImmediately !== undefined &&
        (typeof returnImmediately === 'boolean' ? { blocking: !returnImmediately } : { returnImmediately })),
    };
  },
  taskConfigTo({ pushNotificationConfig, ...rest }) {
    if (!isValueMap(pushNotificationConfig)) return { ...rest, ...dropUndefined({ pushNotificationConfig }) };
    return { ...rest, ...(convertConfigTo1(pushNotificationConfig) as ValueMap) };
  },
  taskConfigFrom(written) {
    const { taskId, tenant, ...config } = written;
    if (config.pushNotificationConfig !== undefined) return written;
    return { ...dropUndefined({ taskId, tenant }), pushNotificationConfig: convertConfigFrom1(config) };
  },
};

const fileNames1: Words = { uri: 'url', bytes: 'raw', name: 'filename', mimeType: 'mediaType' };
const plainFileNames1: Words = { url: 'uri', raw: 'bytes', filename: 'name', mediaType: 'mimeType' };

function holds1({ text, raw, url, data }: ValueMap): boolean {
  return [text, raw, url, data].some((member) => member !== undefined);
}

/** A webhook has a single scheme since 1.0. Before, it had a list. */
function convertConfigTo1(config: Value): Value {
  if (!isValueMap(config) || !isValueMap(config.authentication)) return config;
  const { schemes, ...rest } = config.authentication;
  const scheme = Array.isArray(schemes) && schemes.length === 1 ? { scheme: schemes[0] as Value } : undefined;
  return { ...config, authentication: { ...(scheme ?? dropUndefined({ schemes })), ...rest } };
}

function convertConfigFrom1(config: Value): Value {
  if (!isValueMap(config) || !isValueMap(config.authentication)) return config;
  const { scheme, ...rest } = config.authentication;
  return { ...config, authentication: { ...(scheme !== undefined && { schemes: [scheme] }), ...rest } };
}

function renameKeys(map: ValueMap, names: Words): ValueMap {
  return Object.fromEntries(Object.entries(map).map(([key, value]) => [getOwnValue(names, key) ?? key, value]));
}

/** Drops a `kind` that proto expresses by the name of the field, and keeps any other. */
export function keepUnlessImplied(key: string, value: Value | undefined, implied: string | undefined): ValueMap {
  return value === undefined || value === implied ? {} : { [key]: value };
}

const configName = /^tasks\/([^/]+)(?:\/pushNotificationConfigs\/([^/]*))?$/;

/** Reads the ids from the name of a resource. */
export function parseResourceName(name: Value | undefined): {
  readonly taskId?: string;
  readonly configId?: string;
} {
  const [, taskId, configId] = (typeof name === 'string' ? configName.exec(name) : null) ?? [];
  return {
    ...(taskId !== undefined && { taskId }),
    ...(configId !== undefined && configId !== '' && { configId }),
  };
}
