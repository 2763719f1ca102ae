import { decodeKey } from '../model/extension-keys.ts';
import type { NormalizedDocument, NormalizedIndicator } from '../model/normalized.ts';
import type { Path } from '../model/path.ts';
import { isValueMap } from '../model/value.ts';
import { isMatchCondition } from '../primitives/evaluate-condition.ts';
import type { DecodeRuleId } from '../registry/rules.ts';
import { createViolation, quoteValue, type RuleFinding } from '../validate/rule-finding.ts';
import { type CheckKey, checkLetters, listChecks } from './read-checks.ts';

export interface DecodeViolation extends RuleFinding {
  readonly rule: DecodeRuleId;
}

const textOperators = ['contains', 'starts_with', 'ends_with', 'regex'] as const;

/** Finds every violation of the `x-decode` rules in a document that is otherwise valid. */
export function findDecodeViolations(document: NormalizedDocument): readonly DecodeViolation[] {
  const { indicators = [] } = document.attack;
  return [
    ...indicators.flatMap((indicator, index) =>
      findIndicatorDecodeViolations(indicator, ['attack', 'indicators', index]),
    ),
    ...(Object.keys(checkLetters) as CheckKey[]).flatMap((key) =>
      (listChecks(document, key) ?? []).flatMap((check, index): readonly DecodeViolation[] => {
        if (!isValueMap(check) || !Object.hasOwn(check, decodeKey)) return [];
        const path = ['attack', key, index, decodeKey];
        return [
          createViolation(
            'O-222',
            path,
            '`x-decode` does not apply to a check',
            'an agent disguises neither a finished task nor what it tells its user',
          ),
        ];
      }),
    ),
  ];
}

function findIndicatorDecodeViolations(indicator: NormalizedIndicator, path: Path): readonly DecodeViolation[] {
  const { extensions, pattern } = indicator;
  const written = extensions?.[decodeKey];
  if (written === undefined) return [];
  const here = [...path, decodeKey];
  if (typeof written !== 'boolean')
    return [createViolation('O-221', here, `expected true or false, found ${quoteValue(written)}`)];
  if (!written) return [];
  if (pattern === undefined)
    return [
      createViolation(
        'O-222',
        here,
        'there is no pattern to look for',
        'only a pattern can be looked for behind disguises, not a CEL expression or an intent',
      ),
    ];
  const { condition } = pattern;
  const looksForText =
    isMatchCondition(condition) && textOperators.some((operator) => condition[operator] !== undefined);
  if (looksForText) return [];
  return [createViolation('O-222', here, 'the pattern looks for no text', `use one of ${textOperators.join(', ')}`)];
}
