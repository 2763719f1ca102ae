import { JSONPathEnvironment, type JSONPathQuery, jsonpath } from 'json-p3';
import type { Value } from '../model/value.ts';
import { type CompileFailure, maximumDepth, reasonOf } from './limits.ts';
import { compileRegex, type Regex } from './regex.ts';

/** A compiled RFC 9535 query: the first node, or nothing. Running out of bounds is nothing, too. */
export type JsonPath = (value: Value) => Value | undefined;

const maximumLength = 4_096;
/** Nodes that one query may visit on its way. */
const maximumVisits = 1_000_000;

export function compileJsonPath(source: string): JsonPath | CompileFailure {
  if (source.length > maximumLength)
    return { failure: `selector is longer than ${maximumLength} characters` };
  const environment = new BoundedEnvironment();
  let query: JSONPathQuery;
  try {
    query = environment.compile(source);
  } catch (thrown) {
    return { failure: thrown instanceof RangeError ? 'selector is nested too deeply' : reasonOf(thrown) };
  }
  const rootQueries = nestedRootQueries(query);
  return (value) => {
    if (rootQueries > 0 && countNodes(value) ** (rootQueries + 1) > maximumVisits) return undefined;
    environment.restart();
    try {
      return query.match(value as Parameters<JSONPathQuery['match']>[0])?.value as Value | undefined;
    } catch {
      return undefined;
    }
  };
}

class BoundedEnvironment extends JSONPathEnvironment {
  #visits = 0;

  constructor() {
    super();
    // The descendant segment asks for the limit at every node it visits, which makes it the place to count.
    Object.defineProperty(this, 'maxRecursionDepth', {
      get: () => (++this.#visits > maximumVisits ? 0 : maximumDepth),
    });
    for (const name of ['match', 'search']) {
      const regexes = new Map<string, Regex | CompileFailure>();
      const original = this.functionRegister.get(name);
      if (original === undefined) continue;
      this.functionRegister.set(name, {
        argTypes: original.argTypes,
        returnType: original.returnType,
        call: (text: unknown, pattern: unknown) =>
          typeof text === 'string' &&
          typeof pattern === 'string' &&
          searchIRegexp(regexes, name, text, pattern),
      });
    }
  }

  restart(): void {
    this.#visits = 0;
  }
}

/** `match` and `search` as RFC 9485 reads them, in linear time. */
function searchIRegexp(
  cache: Map<string, Regex | CompileFailure>,
  name: string,
  text: string,
  pattern: string,
): boolean {
  let regex = cache.get(pattern);
  if (regex === undefined) {
    const mapped = dotsExcludeLineEnds(pattern);
    regex = compileRegex(name === 'match' ? `^(?:${mapped})$` : mapped);
    if (cache.size >= 64) cache.clear();
    cache.set(pattern, regex);
  }
  return 'failure' in regex ? false : regex.test(text) === true;
}

/** I-Regexp's dot leaves out carriage returns too. */
function dotsExcludeLineEnds(pattern: string): string {
  let inClass = false;
  return pattern.replace(/\\.|[[\].]/gs, (token) => {
    if (token === '[') inClass = true;
    else if (token === ']') inClass = false;
    else if (token === '.' && !inClass) return '[^\\n\\r]';
    return token;
  });
}

/**
 * How deep queries that start at the root again are nested inside filters. Each level costs a factor of
 * the whole value's size; relative queries only cost the size of their own part.
 */
function nestedRootQueries(query: JSONPathQuery): number {
  const depthOf = (node: unknown, seen: Set<object>): number => {
    if (typeof node !== 'object' || node === null || seen.has(node)) return 0;
    seen.add(node);
    if (node instanceof JSONPathEnvironment) return 0;
    const inner = Math.max(0, ...Object.values(node).map((part) => depthOf(part, seen)));
    return node instanceof jsonpath.expressions.RootQuery ? inner + 1 : inner;
  };
  return depthOf(query.segments, new Set());
}

function countNodes(value: Value): number {
  let count = 0;
  const pending: Value[] = [value];
  while (pending.length > 0) {
    const next = pending.pop() as Value;
    count += 1;
    if (count > maximumVisits) break;
    if (typeof next === 'object' && next !== null) for (const part of Object.values(next)) pending.push(part);
  }
  return count;
}
