// A2A since 1.0: proto's JSON on every binding, methods named as the procedures, and a version in every request.

/** The era, named after the version that it begins with. */
export const a2a1 = '1.0';

/** What an operation is called since 1.0. */
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

/** The operation that a name of 1.0 stands for; nothing for any other name. */
export function named1(name: string): string | undefined {
  return Object.keys(namesIn1).find((before) => namesIn1[before] === name);
}

export const versionHeader = 'a2a-version';

export const versionNotSupported = -32009;

/** Patch levels do not matter. */
export function isVersion1(version: string): boolean {
  return /^1\.0(?:\.|$)/.test(version.trim());
}

export function isVersion03(version: string): boolean {
  return /^0\.3(?:\.|$)/.test(version.trim());
}

/** Why a request is not served that says which version it speaks; what says none is of 0.3. */
export function otherVersion(version: string | undefined): string | undefined {
  if (version === undefined || version === '' || isVersion1(version) || isVersion03(version))
    return undefined;
  return `A2A version ${version.slice(0, 50)} is not supported: 1.0 and 0.3 are`;
}
