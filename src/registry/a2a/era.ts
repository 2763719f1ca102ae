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

const namesBefore = new Map(Object.entries(namesIn1).map(([before, since]) => [since, before]));

/** The operation that a name of 1.0 stands for; nothing for any other name. */
export function named1(name: string): string | undefined {
  return namesBefore.get(name);
}

export const versionHeader = 'a2a-version';

export const a2a1Error = {
  extensionRequired: -32008,
  versionNotSupported: -32009,
} as const;
