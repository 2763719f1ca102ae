import { parse } from '@bufbuild/cel';
import type { Expr } from '@bufbuild/cel-spec/cel/expr/syntax_pb.js';
import { type CompileFailure, reasonOf } from './limits.ts';

// A file of its own: programs that only check documents need the parser, but not the rest of CEL, which is many times
// larger.

/** Parsing takes linear time, so this limits it to a fraction of a second. */
const maximumLength = 16_384;
/** Planning and evaluation recurse into the tree. */
const maximumNesting = 500;
type ParsedCel = { readonly expr: Expr };

export function parseCel(source: string): ParsedCel | CompileFailure {
  if (source.length > maximumLength)
    return { failure: `expression is longer than ${maximumLength} characters` };
  try {
    const parsed = parse(source);
    const failure = misuseIn(parsed.expr);
    return failure === undefined ? parsed : { failure };
  } catch (thrown) {
    if (thrown instanceof RangeError) return { failure: 'expression is nested too deeply' };
    return isSyntaxError(thrown)
      ? { failure: reasonOf(thrown.rawMessage), within: thrown.location.start.offset }
      : { failure: reasonOf(thrown) };
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

/** Finds mistakes that the library's parser accepts but that no evaluation can run. */
function misuseIn(root: Expr): string | undefined {
  const pending = [{ expr: root, depth: 1 }];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { expr, depth } = next;
    if (depth > maximumNesting) return 'expression is nested too deeply';
    // `has` on a field is a macro that the parser expands, so a call that is left was misused.
    if (
      expr.exprKind.case === 'callExpr' &&
      expr.exprKind.value.function === 'has' &&
      !expr.exprKind.value.target
    )
      return 'has() takes one argument, and that must be a field';
    for (const part of partsOf(expr)) pending.push({ expr: part, depth: depth + 1 });
  }
  return undefined;
}

/** The direct subexpressions of an expression. */
export function partsOf({ exprKind: kind }: Expr): readonly Expr[] {
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
