import { JSONPathEnvironment, JSONPathNodeList, type JSONPathQuery, jsonpath } from 'json-p3';
import { isEvaluationError } from '../model/errors.ts';
import { isCollection, type Value } from '../model/value.ts';
import { compareNumbers, isNumeric, parseWrittenNumber } from '../model/written-number.ts';
import { addTextWork, addWork, readWork } from './counted-work.ts';
import {
  type CompileFailure,
  formatSteps,
  formatThrownReason,
  isCompileFailure,
  maximumDepth,
} from './evaluation-limits.ts';
import { compileRegex, type Regex } from './regex.ts';

/** The result of a query. `exceeded` names the limit that it broke. */
export type PathResult<T> = { readonly found: T } | { readonly exceeded: string };

/** A compiled RFC 9535 query. It gives the first node, or undefined. */
export type JsonPath = (value: Value, withinSteps?: number) => PathResult<Value | undefined>;

type JSONPathSelector = InstanceType<typeof jsonpath.selectors.JSONPathSelector>;

const maximumLength = 4_096;
/** The number of nodes that one query may visit. */
const maximumVisits = 1_000_000;
/** A limit for costs that visits do not show: comparing large values or searching long texts at every node. */
const maximumSteps = 50_000_000;
const stepsPerVisit = 10;

export function compileJsonPath(source: string): JsonPath | CompileFailure {
  return compileQuery(source, (query, value) => query.match(value)?.value as Value | undefined);
}

/** All nodes in the order of the document; none if the query breaks a limit. */
export function compileJsonPaths(source: string): ((value: Value) => readonly Value[]) | CompileFailure {
  const find = compileQuery(source, (query, value) => query.query(value).values() as readonly Value[]);
  if (isCompileFailure(find)) return find;
  return (value) => {
    const result = find(value);
    return 'found' in result ? result.found : [];
  };
}

type QueriedValue = Parameters<JSONPathQuery['query']>[0];

function compileQuery<T>(
  source: string,
  find: (query: JSONPathQuery, value: QueriedValue) => T,
): ((value: Value, withinSteps?: number) => PathResult<T>) | CompileFailure {
  if (source.length > maximumLength) return { failure: `selector is longer than ${maximumLength} characters` };
  const environment = new BoundedEnvironment();
  let query: JSONPathQuery;
  try {
    query = environment.compile(source);
  } catch (thrown) {
    return {
      failure: thrown instanceof RangeError ? 'selector is nested too deeply' : formatThrownReason(thrown),
    };
  }
  const failure = findPathMisuse(source, query);
  if (failure !== undefined) return { failure };
  const bounds = boundQuery(query);
  compareExactly(query);
  return (value, withinSteps = maximumSteps) => {
    bounds.restart(Math.min(withinSteps, maximumSteps));
    try {
      return { found: find(query, value as QueriedValue) };
    } catch (thrown) {
      return { exceeded: formatThrownReason(thrown) };
    }
  };
}

class BoundedEnvironment extends JSONPathEnvironment {
  constructor() {
    super({ maxRecursionDepth: maximumDepth });
    for (const name of ['match', 'search']) {
      const regexes = new Map<string, Regex | CompileFailure>();
      const original = this.functionRegister.get(name);
      if (original === undefined) continue;
      this.functionRegister.set(name, {
        argTypes: original.argTypes,
        returnType: original.returnType,
        call: (text: unknown, pattern: unknown) =>
          typeof text === 'string' && typeof pattern === 'string' && searchIRegexp(regexes, name, text, pattern),
      });
    }
  }
}

/** `match` and `search` as RFC 9485 defines them, in linear time. */
function searchIRegexp(
  cache: Map<string, Regex | CompileFailure>,
  name: string,
  text: string,
  pattern: string,
): boolean {
  let regex = cache.get(pattern);
  if (regex === undefined) {
    const mapped = excludeLineEndsFromDots(pattern);
    regex = compileRegex(name === 'match' ? `^(?:${mapped})$` : mapped);
    if (cache.size >= 64) cache.clear();
    cache.set(pattern, regex);
  }
  if ('failure' in regex) return false;
  const found = regex.test(text);
  if (isEvaluationError(found)) throw new Error(found.message);
  return found;
}

/** The dot of I-Regexp does not match carriage returns either. */
function excludeLineEndsFromDots(pattern: string): string {
  let inClass = false;
  return pattern.replace(/\\.|[[\].]/gs, (token) => {
    if (token === '[') inClass = true;
    else if (token === ']') inClass = false;
    else if (token === '.' && !inClass) return '[^\\n\\r]';
    return token;
  });
}

interface QueryBounds {
  restart(steps: number): void;
}

/**
 * Limits a query by counting how often a selector is applied. Every visited node has a selector applied to it, in filters
 * and nested filters too, so unions, descents and queries from the root are all counted.
 */
function boundQuery(query: JSONPathQuery): QueryBounds {
  let visits = 0;
  let steps = 0;
  let until = 0;
  const check = (): void => {
    if (readWork() > until) throw new Error(`it takes more than ${formatSteps(steps)} steps`);
  };
  for (const selector of listSelectors(query.segments)) {
    const resolve = selector.resolve.bind(selector);
    const visitsChildren = !(
      selector instanceof jsonpath.selectors.NameSelector || selector instanceof jsonpath.selectors.IndexSelector
    );
    selector.resolve = (node) => {
      const visited = 1 + (visitsChildren ? countChildren(node.value) : 0);
      visits += visited;
      addWork(stepsPerVisit * visited);
      if (visits > maximumVisits) throw new Error(`it visited more than ${maximumVisits} nodes`);
      check();
      return resolve(node);
    };
  }
  return {
    restart(within) {
      visits = 0;
      steps = within;
      until = readWork() + within;
    },
  };
}

function* listSelectors(root: unknown): Generator<JSONPathSelector> {
  for (const node of walkNodes(root)) if (node instanceof jsonpath.selectors.JSONPathSelector) yield node;
}

const { compare, FunctionExtension, InfixExpression, NumberLiteral, PrefixExpression } = jsonpath.expressions;

/** Finds what the library's parser accepts although RFC 9535 does not. */
function findPathMisuse(source: string, query: JSONPathQuery): string | undefined {
  for (const node of walkNodes(query.segments)) {
    if (node instanceof jsonpath.selectors.NameSelector) {
      const { name, token } = node;
      if (token.kind === 'TOKEN_NAME' && name.includes('-')) return `a name with a hyphen is ["${name}"]`;
    } else if (node instanceof InfixExpression && !node.logical) {
      const { left, right, operator, token } = node;
      // Parentheses leave no trace in the tree.
      const isGrouped =
        (/\)\s*$/.test(source.slice(0, token.index)) && !(left instanceof FunctionExtension)) ||
        /^\s*\(/.test(source.slice(token.index + operator.length));
      if (isGrouped || isLogical(left) || isLogical(right)) return `${operator} compares no expressions`;
    }
  }
  return undefined;
}

function isLogical(side: Filter): boolean {
  return side instanceof PrefixExpression || side instanceof InfixExpression;
}

type Filter = InstanceType<typeof InfixExpression>['left'];

/** Makes filters compare numbers as they were written. The library compares JavaScript numbers only. */
function compareExactly(query: JSONPathQuery): void {
  for (const node of walkNodes(query.segments)) {
    if (!(node instanceof InfixExpression) || node.logical) continue;
    node.evaluate = (context) => {
      const [left, right] = [evaluateSide(node.left, context), evaluateSide(node.right, context)];
      addComparisonWork(left, right);
      return isNumeric(left) && isNumeric(right)
        ? compare(compareNumbers(left, right), node.operator, 0)
        : compare(left, node.operator, right);
    };
  }
}

function addComparisonWork(left: unknown, right: unknown): void {
  if (typeof left === 'string' && typeof right === 'string') addTextWork(Math.min(left.length, right.length));
  else if (isCollection(left) && isCollection(right)) addWork(stepsPerVisit * (countNodes(left) + countNodes(right)));
}

function countNodes(root: object): number {
  let count = 0;
  const pending: unknown[] = [root];
  for (let value = pending.pop(); value !== undefined; value = pending.pop()) {
    count += 1;
    if (isCollection(value)) for (const item of Object.values(value)) pending.push(item);
  }
  return count;
}

function evaluateSide(side: Filter, context: Parameters<Filter['evaluate']>[0]): unknown {
  if (side instanceof NumberLiteral) return parseWrittenNumber(side.token.value);
  const found = side.evaluate(context);
  return found instanceof JSONPathNodeList && found.nodes.length === 1 ? found.nodes[0]?.value : found;
}

function* walkNodes(root: unknown): Generator<object> {
  const seen = new Set<unknown>();
  const pending = [root];
  while (pending.length > 0) {
    const node = pending.pop();
    if (typeof node !== 'object' || node === null || seen.has(node)) continue;
    seen.add(node);
    if (node instanceof JSONPathEnvironment) continue;
    yield node;
    pending.push(...Object.values(node));
  }
}

function countChildren(value: unknown): number {
  if (!isCollection(value)) return 0;
  return Array.isArray(value) ? value.length : Object.keys(value).length;
}
