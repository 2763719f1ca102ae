import { isValueMap, type Value, type ValueMap } from '../../model/value.ts';
import { codeOfReason, errorDomain, errorInfoType, errorRow, unknownError } from '../../registry/a2a/era.ts';

// Errors since 1.0: JSON-RPC has the details as data, HTTP+JSON has a google.rpc.Status.

export const jsonType1 = 'application/a2a+json';

/** The details that say which error it is; nothing where the error brings its own data. */
export function detailsOf(error: Value): readonly Value[] {
  const { code, data } = mapOf(error);
  if (Array.isArray(data)) return data as readonly Value[];
  const row = errorRow(code);
  return row === undefined ? [] : [{ '@type': errorInfoType, reason: row.reason, domain: errorDomain }];
}

export function rpcError1(error: Value): Value {
  if (!isValueMap(error) || error.data !== undefined) return error;
  const details = detailsOf(error);
  return details.length === 0 ? error : { ...error, data: details };
}

export function restStatus1(error: Value): number {
  return (errorRow(mapOf(error).code) ?? unknownError).http;
}

export function restError1(error: Value): Value {
  const { code, message = '' } = mapOf(error);
  const { http, status } = errorRow(code) ?? unknownError;
  return { error: { code: http, status, message, details: detailsOf(error) } };
}

/** An error of HTTP+JSON as JSON-RPC has it; nothing for what is none. */
export function errorFromRest1(body: Value): Value | undefined {
  const { error } = mapOf(body);
  if (!isValueMap(error) || typeof error.message !== 'string') return undefined;
  const { code, message, details } = error;
  return {
    code: codeIn(details) ?? codeOfStatus(code),
    message,
    ...(details !== undefined && { data: details }),
  };
}

/** The code of A2A that the details of an error name. */
export function codeIn(details: Value | undefined): number | undefined {
  if (!Array.isArray(details)) return undefined;
  for (const detail of details as readonly Value[]) {
    const code = codeOfReason(mapOf(detail).reason);
    if (code !== undefined) return code;
  }
  return undefined;
}

function codeOfStatus(status: Value | undefined): number {
  if (status === 404) return -32001;
  return typeof status === 'number' && status < 500 ? -32600 : -32603;
}

function mapOf(value: Value | undefined): ValueMap {
  return isValueMap(value) ? value : {};
}
