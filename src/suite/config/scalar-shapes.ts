import { findNearest } from '../../format/registry/suggestions.ts';
import { quoteSetting, reportMismatch, type SettingSchema, type SettingShape } from './setting-shape.ts';

/** The problem of a text, and a hint that says what would be right. */
export interface TextProblem {
  readonly problem: string;
  readonly hint?: string;
}

export interface TextShapeOptions {
  /** Used by editors, and by the check if `problemOf` finds no problem. */
  readonly pattern?: string;
  /** A valid example, for hints. */
  readonly example?: string;
  findProblem?(text: string): TextProblem | undefined;
  /** Keeps the value out of messages, because it may hold a secret. */
  readonly isUnquoted?: true;
}

export function textShape(options: TextShapeOptions = {}): SettingShape<string> {
  const { pattern, example, isUnquoted } = options;
  const expression = pattern === undefined ? undefined : new RegExp(pattern, 'u');
  const findProblem = (value: string): TextProblem | undefined =>
    options.findProblem?.(value) ??
    (expression === undefined || expression.test(value)
      ? undefined
      : {
          problem: 'is not valid here',
          ...(example !== undefined && { hint: `such as ${example}` }),
        });
  return {
    kind: 'text',
    schema: { type: 'string', ...(pattern !== undefined && { pattern }) },
    check(value, path, report) {
      if (typeof value !== 'string') {
        const isRight = findProblem(String(value)) === undefined;
        return reportMismatch(['text'], value, path, report, isRight ? undefined : example);
      }
      const wrong = findProblem(value);
      if (wrong === undefined) return;
      const { problem, hint } = wrong;
      report({
        path,
        message: `${isUnquoted ? 'this' : quoteSetting(value)} ${problem}`,
        ...(hint !== undefined && { hint }),
      });
    },
  };
}

export interface NumberOptions {
  readonly least: number;
  readonly most?: number;
  readonly isWhole?: true;
}

export function numberShape({ least, most, isWhole }: NumberOptions): SettingShape<number> {
  const schema: SettingSchema = {
    type: isWhole ? 'integer' : 'number',
    minimum: least,
    ...(most !== undefined && { maximum: most }),
  };
  const bounds = most === undefined ? `from ${least} on` : `from ${least} to ${most}`;
  return {
    kind: 'number',
    schema,
    check(value, path, report) {
      if (typeof value !== 'number') return reportMismatch(['number'], value, path, report);
      const isIn = value >= least && value <= (most ?? Number.MAX_VALUE);
      if (isIn && (!isWhole || Number.isInteger(value))) return;
      report({ path, message: `${value} is not ${isWhole ? 'a whole number' : 'a number'} ${bounds}` });
    },
  };
}

export const booleanShape: SettingShape<boolean> = {
  kind: 'boolean',
  schema: { type: 'boolean' },
  check(value, path, report) {
    if (typeof value !== 'boolean') reportMismatch(['boolean'], value, path, report);
  },
};

export function choiceShape<const C extends string>(choices: readonly C[]): SettingShape<C> {
  return {
    kind: 'text',
    schema: { enum: choices },
    check(value, path, report) {
      if (typeof value !== 'string') return reportMismatch(['text'], value, path, report);
      if ((choices as readonly string[]).includes(value)) return;
      const meant = findNearest(value, choices);
      report({
        path,
        message: `${quoteSetting(value)} is not one of ${choices.join(', ')}`,
        ...(meant !== undefined && { hint: `did you mean ${meant}?` }),
      });
    },
  };
}

/** A function, which only code can provide. `F` is its type, which cannot be checked at run time. */
export function functionShape<F>(): SettingShape<F> {
  return {
    kind: 'function',
    schema: undefined,
    check(value, path, report) {
      if (typeof value === 'function') return;
      report({
        path,
        message: `expected a function, found ${typeof value === 'string' ? 'a text' : `a ${typeof value}`}`,
        hint: 'only oatf.config.ts, .mts, .js and .mjs can contain one',
      });
    },
  };
}

/** Content that is passed on as JSON. */
export const anyShape: SettingShape<unknown> = {
  kind: 'any',
  schema: {},
  check(value, path, report) {
    try {
      if (JSON.stringify(value) !== undefined) return;
      report({ path, message: 'this cannot be sent as JSON' });
    } catch (thrown) {
      const reason = thrown instanceof Error ? thrown.message.split('\n', 1)[0] : String(thrown);
      report({ path, message: `this cannot be sent as JSON: ${reason}` });
    }
  },
};
