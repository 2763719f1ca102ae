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
