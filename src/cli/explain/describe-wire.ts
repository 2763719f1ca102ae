import { isValueMap, type Value } from '../../format/model/value.ts';
import { wireActions } from '../../format/registry/wire-rule-keys.ts';
import { describePredicate, quoteBriefly } from './describe-parts.ts';

/** How a phase sends its messages, rule by rule. */
export function describeWireRules(rules: Value | undefined): readonly string[] {
  if (!Array.isArray(rules)) return [];
  if (rules.length === 0) return ['as usual again'];
  return (rules as readonly Value[]).flatMap((rule) => {
    if (!isValueMap(rule)) return [];
    const { on, when, nth, times, ...actions } = rule;
    const which = [
      String(on),
      ...(isValueMap(when) ? [`whose ${describePredicate(when)}`] : []),
      ...(nth === undefined ? [] : [`number ${String(nth)}`]),
      ...(times === undefined ? [] : [`the first ${String(times)}`]),
    ].join(', ');
    const what = Object.entries(actions).map(
      ([action, value]) =>
        `${wireActions[action]?.words ?? action}${value === true ? '' : ` (${action} ${quoteBriefly(value as Value)})`}`,
    );
    return [`${which}: ${what.join('; ')}`];
  });
}
