import { isValueMap, type Value, type ValueMap } from '../../../format/model/value.ts';

// Errors since 1.0: JSON-RPC carries the details as data, HTTP+JSON carries a google.rpc.Status.

interface ErrorRow {
  readonly reason: string;
  readonly http: number;
  readonly status: string;
}

/** The fields that 1.0 adds to the code of an error. */
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

const unknownError: ErrorRow = { reason: 'INTERNAL_ERROR', http: 500, status: 'INTERNAL' };

export function findErrorRow(code: unknown): ErrorRow | undefined {
  return errors.get(code);
}

/** The code for a reason; undefined for an unknown reason. */
function findCodeByReason(reason: unknown): number | undefined {
  for (const [code, row] of errors) if (row.reason === reason) return code as number;
  return undefined;
}

const errorInfoType = 'type.googleapis.com/google.rpc.ErrorInfo';
const errorDomain = 'a2a-protocol.org';

export const jsonType1 = 'application/a2a+json';

/** The details that name the error. An error that has data of its own gets no others. */
export function createErrorDetails(error: Value): readonly Value[] {
  const { code, data } = readErrorMap(error);
  if (Array.isArray(data)) return data as readonly Value[];
  const row = findErrorRow(code);
  return row === undefined ? [] : [{ '@type': errorInfoType, reason: row.reason, domain: errorDomain }];
}

export function toRpcError1(error: Value): Value {
  if (!isValueMap(error) || error.data !== undefined) return error;
  const details = createErrorDetails(error);
  return details.length === 0 ? error : { ...error, data: details };
}

export function chooseRestStatus1(error: Value): number {
  return (findErrorRow(readErrorMap(error).code) ?? unknownError).http;
}

export function toRestError1(error: Value): Value {
  const { code, message = '' } = readErrorMap(error);
  const { http, status } = findErrorRow(code) ?? unknownError;
  return { error: { code: http, status, message, details: createErrorDetails(error) } };
}

/** Turns an error of HTTP+JSON into one of JSON-RPC; undefined for a body that is not an error. */
export function fromRestError1(body: Value): Value | undefined {
  const { error } = readErrorMap(body);
  if (!isValueMap(error) || typeof error.message !== 'string') return undefined;
  const { code, message, details } = error;
  return {
    code: readDetailsCode(details) ?? chooseCodeByStatus(code),
    message,
    ...(details !== undefined && { data: details }),
  };
}

/** The A2A code that the details of an error name. */
export function readDetailsCode(details: Value | undefined): number | undefined {
  if (!Array.isArray(details)) return undefined;
  for (const detail of details as readonly Value[]) {
    const code = findCodeByReason(readErrorMap(detail).reason);
    if (code !== undefined) return code;
  }
  return undefined;
}

function chooseCodeByStatus(status: Value | undefined): number {
  if (status === 404) return -32001;
  return typeof status === 'number' && status < 500 ? -32600 : -32603;
}

function readErrorMap(value: Value | undefined): ValueMap {
  return isValueMap(value) ? value : {};
}
