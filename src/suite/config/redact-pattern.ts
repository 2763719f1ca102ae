import { isCompileFailure } from '../../format/expression/evaluation-limits.ts';
import { compileRegex, type Regex } from '../../format/expression/regex.ts';
import { eitherShape, listShape } from './compound-shapes.ts';
import { booleanShape, type TextProblem, textShape } from './scalar-shapes.ts';
import type { SettingShape } from './setting-shape.ts';

/** A long text gets this much time, because a text that cannot be searched must be masked as a whole. */
const searchMs = 2_000;

/** Compiles a pattern of secrets, or says what is wrong with it. */
export function readRedactPattern(source: string): Regex | TextProblem {
  const regex = compileRegex(source, searchMs);
  // The end of the error quotes the pattern, which may contain part of a secret, so it is cut off.
  if (isCompileFailure(regex))
    return { problem: `is not an RE2 expression: ${regex.failure.replace(/: `[\s\S]*$/, '')}` };
  return regex.test('') === false
    ? regex
    : {
        problem: 'matches the empty text, which cannot be masked',
        hint: 'write a pattern that matches at least one character',
      };
}

/** Whether secrets are masked; or patterns to mask in addition to well-known shapes. */
export const redactionShape: SettingShape<boolean | readonly string[]> = eitherShape(
  booleanShape,
  listShape(
    textShape({
      isUnquoted: true,
      findProblem(value) {
        const read = readRedactPattern(value);
        return 'problem' in read ? read : undefined;
      },
    }),
  ),
);
