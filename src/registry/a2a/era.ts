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

interface ErrorRow {
  readonly reason: string;
  readonly http: number;
  readonly status: string;
}

/** What 1.0 says of an error beside its code. */
const errors: ReadonlyMap<unknown, ErrorRow> = new Map<unknown, ErrorRow>([
  [-32700, { reason: 'PARSE_ERROR', http: 400, status: 'INVALID_ARGUMENT' }],
  [-32600, { reason: 'INVALID_REQUEST', http: 400, status: 'INVALID_ARGUMENT' }],
  [-32601, { reason: 'METHOD_NOT_FOUND', http: 404, status: 'UNIMPLEMENTED' }],
  [-32602, { reason: 'INVALID_PARAMS', http: 400, status: 'INVALID_ARGUMENT' }],
  [-32603, { reason: 'INTERNAL_ERROR', http: 500, status: 'INTERNAL' }],
  [-32001, { reason: 'TASK_NOT_FOUND', http: 404, status: 'NOT_FOUND' }],
  [-32002, { reason: 'TASK_NOT_CANCELABLE', http: 400, status: 'FAILED_PRECONDITION' }],
  [-32003, { reason: 'PUSH_NOTIFICATION_NOT_SUPPORTED', http: 400, status: 'FAILED_PRECONDITION' }],
  [-32004, { reason: 'UNSUPPORTED_OPERATION', http: 400, status: 'FAILED_PRECONDITION' }],
  [-32005, { reason: 'CONTENT_TYPE_NOT_SUPPORTED', http: 400, status: 'INVALID_ARGUMENT' }],
  [-32006, { reason: 'INVALID_AGENT_RESPONSE', http: 500, status: 'INTERNAL' }],
  [-32007, { reason: 'EXTENDED_AGENT_CARD_NOT_CONFIGURED', http: 400, status: 'FAILED_PRECONDITION' }],
  [-32008, { reason: 'EXTENSION_SUPPORT_REQUIRED', http: 400, status: 'FAILED_PRECONDITION' }],
  [-32009, { reason: 'VERSION_NOT_SUPPORTED', http: 400, status: 'FAILED_PRECONDITION' }],
]);

export const unknownError: ErrorRow = { reason: 'INTERNAL_ERROR', http: 500, status: 'INTERNAL' };

export function errorRow(code: unknown): ErrorRow | undefined {
  return errors.get(code);
}

/** The code that a reason stands for; nothing for a reason that nobody has. */
export function codeOfReason(reason: unknown): number | undefined {
  for (const [code, row] of errors) if (row.reason === reason) return code as number;
  return undefined;
}

export const errorInfoType = 'type.googleapis.com/google.rpc.ErrorInfo';
export const errorDomain = 'a2a-protocol.org';
