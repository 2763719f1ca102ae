import type { Protocol } from '../../format/model/enumeration-types.ts';
import { isValueMap, type Value, type ValueMap } from '../../format/model/value.ts';
import { hasOperation } from '../../format/registry/protocol-operations.ts';
import { createArgumentConditions } from './conditions.ts';
import type { RecordedExchange, Recording } from './recorded-exchange.ts';

/** `x-wire` rules for protocol errors: each replaces the answer to its own request. */
export function createRecordedWireRules({ exchanges, leftOut }: Recording, protocol: Protocol): readonly ValueMap[] {
  const rules = exchanges.flatMap((exchange): ValueMap[] => {
    if (exchange.failed === undefined) return [];
    const { method } = exchange;
    const error = readRpcError(exchange.result);
    const when = createRuleCondition(exchange, exchanges);
    if (error === undefined || when === undefined || hasOperation(protocol, method) === false) {
      leftOut.add(`an error that ${method} was answered with`);
      return [];
    }
    return [{ on: method, ...(Object.keys(when).length > 0 && { when }), error }];
  });
  const weight = ({ when }: ValueMap): number => (isValueMap(when) ? Object.keys(when).length : 0);
  return rules.sort((a, b) => weight(b) - weight(a));
}

function readRpcError(error: Value): ValueMap | undefined {
  if (!isValueMap(error) || !Number.isInteger(error.code) || typeof error.message !== 'string') return undefined;
  const { code = null, message, data } = error;
  return { code, message, ...(data !== undefined && { data }) };
}

/** The condition that separates a failed request from the others; nothing if they cannot be separated. */
function createRuleCondition(exchange: RecordedExchange, exchanges: readonly RecordedExchange[]): ValueMap | undefined {
  const { method } = exchange;
  const { name, uri, arguments: args, message, cursor } = toRecordedMap(exchange.params);
  const others = exchanges.filter((each) => each !== exchange && each.method === method);
  if (method === 'tools/call' || method === 'prompts/get') {
    const own = createArgumentConditions(args);
    const known = others.filter((each) => toRecordedMap(each.params).name === name);
    const missing = known
      .flatMap((each) => Object.keys(createArgumentConditions(toRecordedMap(each.params).arguments)))
      .filter((path) => !Object.hasOwn(own, path))
      .map((path) => [path, { exists: false }] as const);
    return { ...(name !== undefined && { name }), ...own, ...Object.fromEntries(missing) };
  }
  if (uri !== undefined) return { uri };
  if (message !== undefined) return { 'message.parts': toRecordedMap(message).parts ?? null };
  return cursor === undefined && others.every(({ failed }) => failed) ? {} : undefined;
}

function toRecordedMap(value: Value | undefined): ValueMap {
  return isValueMap(value) ? value : {};
}
