import { parse } from '@bufbuild/cel';
import type { Expr } from '@bufbuild/cel-spec/cel/expr/syntax_pb.js';
import { type CompileFailure, formatThrownReason } from './evaluation-limits.ts';

// A file of its own: programs that only check documents need the parser, but not the rest of CEL, which is many times
// larger.

/** Parsing takes linear time, so this limits it to a fraction of a second. */
const maximumLength = 16_384;
/** Planning and evaluation recurse into the tree. */
const maximumNesting = 500;
type ParsedCel = { readonly expr: Expr };

export function parseCel(source: string): ParsedCel | CompileFailure {
  if (source.length > maximumLength) return { failure: `expression is longer than ${maximumLength} characters` };
  try {
    const parsed = parse(source);
    return findCelMisuse(parsed.expr, source, parsed.sourceInfo?.positions ?? {}) ?? parsed;
  } catch (thrown) {
    // The library makes a character of any digits of an escape; other range errors are calls nested too deeply.
    if (thrown instanceof RangeError)
      return {
        failure: /code point/.test(thrown.message)
          ? 'an escape in a literal stands for no character'
          : 'expression is nested too deeply',
      };
    return isSyntaxError(thrown)
      ? { failure: formatThrownReason(thrown.rawMessage), within: thrown.location.start.offset }
      : { failure: formatThrownReason(thrown) };
  }
}

/** The library has a class for these errors, but does not export it. */
interface SyntaxTrouble {
  readonly rawMessage: string;
  readonly location: { readonly start: { readonly offset: number } };
}

function isSyntaxError(thrown: unknown): thrown is SyntaxTrouble {
  return thrown instanceof Error && 'rawMessage' in thrown && 'location' in thrown;
}

/** Finds mistakes that the library's parser accepts although CEL's grammar does not, or that no evaluation can run. */
function findCelMisuse(
  root: Expr,
  source: string,
  positions: { readonly [id: string]: number },
): CompileFailure | undefined {
  const pending = [{ expr: root, depth: 1 }];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { expr, depth } = next;
    if (depth > maximumNesting) return { failure: 'expression is nested too deeply' };
    const { exprKind: kind } = expr;
    // `has` on a field is a macro that the parser expands, so a call that is left was misused.
    if (kind.case === 'callExpr' && kind.value.function === 'has' && !kind.value.target)
      return { failure: 'has() takes one argument, and that must be a field' };
    const at = positions[String(expr.id)];
    const within = kind.case === 'constExpr' && at !== undefined ? findUnknownEscape(source, at) : undefined;
    if (within !== undefined)
      return {
        failure: `${source.slice(within, within + 2)} is no escape; a backslash is \\\\`,
        within,
      };
    for (const part of listSubexpressions(expr)) pending.push({ expr: part, depth: depth + 1 });
  }
  return undefined;
}

const quoted = /[bB]?("""|'''|"|')((?:\\.|(?!\1)[^\\])*)/sy;
const sound = /(?:[^\\]|\\(?:[abfnrtv\\?"'`]|[xX][\da-fA-F]{2}|u[\da-fA-F]{4}|U[\da-fA-F]{8}|[0-3][0-7]{2}))*/;

/** The offset of an escape that CEL does not have, in the literal that begins at `at`. Raw literals have none. */
function findUnknownEscape(source: string, at: number): number | undefined {
  quoted.lastIndex = at;
  const [literal = '', , body = ''] = quoted.exec(source) ?? [];
  const length = sound.exec(body)?.[0].length ?? 0;
  return length < body.length ? at + literal.length - body.length + length : undefined;
}

/** The direct subexpressions of an expression. */
export function listSubexpressions({ exprKind: kind }: Expr): readonly Expr[] {
  const parts = (...list: (Expr | undefined)[]): Expr[] => list.filter((part) => part !== undefined);
  switch (kind.case) {
    case 'comprehensionExpr': {
      const { iterRange, accuInit, loopCondition, loopStep, result } = kind.value;
      return parts(iterRange, accuInit, loopCondition, loopStep, result);
    }
    case 'callExpr':
      return parts(kind.value.target, ...kind.value.args);
    case 'selectExpr':
      return parts(kind.value.operand);
    case 'listExpr':
      return kind.value.elements;
    case 'structExpr':
      return kind.value.entries.flatMap(({ keyKind, value }) =>
        parts(keyKind.case === 'mapKey' ? keyKind.value : undefined, value),
      );
    default:
      return [];
  }
}
