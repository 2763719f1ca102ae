import { isCompileFailure } from '../expression/limits.ts';
import { compileRegex, type Regex } from '../expression/regex.ts';
import { either, list } from './compounds.ts';
import { boolean, type TextProblem, text } from './scalars.ts';
import type { Shape } from './shape.ts';

/** Long texts are worth some time: what cannot be searched has to be masked as a whole. */
const searchMs = 2_000;

/** A pattern of secrets, compiled, or what is wrong with it. */
export function readRedactPattern(source: string): Regex | TextProblem {
  const regex = compileRegex(source, searchMs);
  // What is wrong is told by a piece of the pattern, which may be a piece of a secret.
  if (isCompileFailure(regex))
    return { problem: `is no RE2 expression: ${regex.failure.replace(/: `[\s\S]*$/, '')}` };
  return regex.test('') === false
    ? regex
    : { problem: 'matches a text of no length, which could not be masked', hint: 'say what must be there' };
}

/** Whether secrets are masked; or patterns that are masked beside well-known shapes. */
export const redaction: Shape<boolean | readonly string[]> = either(
  boolean,
  list(
    text({
      isUnquoted: true,
      problemOf(value) {
        const read = readRedactPattern(value);
        return 'problem' in read ? read : undefined;
      },
    }),
  ),
);
