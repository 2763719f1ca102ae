import { isValueMap, type Value } from '../../model/value.ts';
import { wireDeeds } from '../../registry/wire.ts';
import { predicateInWords, quote } from './words.ts';

/** How a phase sends its messages, rule by rule. */
export function wireInWords(rules: Value | undefined): readonly string[] {
  if (!Array.isArray(rules)) return [];
  if (rules.length === 0) return ['as usual again'];
  return (rules as readonly Value[]).flatMap((rule) => {
    if (!isValueMap(rule)) return [];
    const { on, when, nth, times, ...deeds } = rule;
    const which = [
      String(on),
      ...(isValueMap(when) ? [`whose ${predicateInWords(when)}`] : []),
      ...(nth === undefined ? [] : [`number ${String(nth)}`]),
      ...(times === undefined ? [] : [`the first ${String(times)}`]),
    ].join(', ');
    const what = Object.entries(deeds).map(
      ([deed, value]) =>
        `${wireDeeds[deed]?.words ?? deed}${value === true ? '' : ` (${deed} ${quote(value as Value)})`}`,
    );
    return [`${which}: ${what.join('; ')}`];
  });
}
