import { isValueMap, type Value, type ValueMap } from '../../model/value.ts';

// A2A since 1.0: every binding carries proto's JSON, methods are named after the procedures, and each request has a version.

/** The era. Its name is its first version. */
export const a2a1 = '1.0';

/** The entry action that POSTs a notification (format spec §7.2.6), and the name of the request that it makes. */
export const sendPush = 'send_push_notification';

/** The names of operations since 1.0. */
export const namesIn1: { readonly [operation: string]: string } = {
  'message/send': 'SendMessage',
  'message/stream': 'SendStreamingMessage',
  'tasks/get': 'GetTask',
  'tasks/list': 'ListTasks',
  'tasks/cancel': 'CancelTask',
  'tasks/resubscribe': 'SubscribeToTask',
  'tasks/pushNotificationConfig/set': 'CreateTaskPushNotificationConfig',
  'tasks/pushNotificationConfig/get': 'GetTaskPushNotificationConfig',
  'tasks/pushNotificationConfig/list': 'ListTaskPushNotificationConfigs',
  'tasks/pushNotificationConfig/delete': 'DeleteTaskPushNotificationConfig',
  'agent/getAuthenticatedExtendedCard': 'GetExtendedAgentCard',
};

/** The operation that a name of 1.0 stands for; undefined for any other name. */
export function findOperationNamed1(name: string): string | undefined {
  return Object.keys(namesIn1).find((before) => namesIn1[before] === name);
}

export const versionHeader = 'a2a-version';

export const versionNotSupported = -32009;

/** The patch level does not matter. */
export function isVersion1(version: string): boolean {
  return /^1\.0(?:\.|$)/.test(version.trim());
}

export function isVersion03(version: string): boolean {
  return /^0\.3(?:\.|$)/.test(version.trim());
}

/** Why a request in this version is not served. A request without a version counts as 0.3. */
export function explainOtherVersion(version: string | undefined): string | undefined {
  if (version === undefined || version === '' || isVersion1(version) || isVersion03(version)) return undefined;
  return `A2A version ${version.slice(0, 50)} is not supported: 1.0 and 0.3 are`;
}

/** The transports of A2A, by the names that cards use. */
export const a2aTransports = ['JSONRPC', 'HTTP+JSON', 'GRPC'] as const;

export type A2aTransport = (typeof a2aTransports)[number];

// Extensions of A2A: an agent's card lists those that it supports, and those that its clients must know.

/** The headers in which a request lists its extensions: since 1.0, and before. */
export const extensionsHeader = 'a2a-extensions';
export const extensionsHeader03 = 'x-a2a-extensions';

export const extensionSupportRequired = -32008;

/** The extensions that a card requires of every client. */
export function listRequiredExtensions(card: Value | undefined): readonly ValueMap[] {
  const capabilities = isValueMap(card) ? card.capabilities : undefined;
  const extensions = isValueMap(capabilities) ? capabilities.extensions : undefined;
  if (!Array.isArray(extensions)) return none;
  return (extensions as readonly Value[]).filter(isValueMap).filter(({ required }) => required === true);
}

const none: readonly ValueMap[] = [];

/** Splits a header into URIs, which commas separate. */
export function splitUris(header: string): readonly string[] {
  return header
    .split(',')
    .map((uri) => uri.trim())
    .filter((uri) => uri !== '');
}
