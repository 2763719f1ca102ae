import * as oatf from '../../../src/index.ts';
import type { Fixture } from './fixture.ts';

/** The primitives by the names of their files: maps a fixture's input to the value that is compared. */
export const primitives: { readonly [file: string]: (input: Fixture) => unknown } = {
  'compute-effective-state': ({ phases, phase_index }) => oatf.computeEffectiveState(phases, phase_index) ?? null,
  'evaluate-condition': ({ condition, value }) => oatf.evaluateCondition(condition, value),
  'evaluate-extractor': ({ extractor, message, direction }) =>
    oatf.evaluateExtractor(extractor, message, direction) ?? null,
  'evaluate-predicate': ({ predicate, value }) => oatf.evaluatePredicate(predicate, value),
  'evaluate-trigger': ({ trigger, event, elapsed, state }) => {
    const after = { eventCount: state?.event_count ?? 0 };
    const seconds = typeof elapsed === 'string' ? oatf.parseDuration(elapsed) : elapsed;
    const happened = event ? { eventType: event.event_type, content: event.content } : undefined;
    const result = oatf.evaluateTrigger(withoutNulls(trigger), happened, seconds, after);
    return {
      result: result.kind,
      ...(result.kind === 'advanced' && { reason: result.reason }),
      state: { event_count: after.eventCount },
    };
  },
  'extract-protocol': ({ mode }) => oatf.extractProtocol(mode),
  'interpolate-template': ({ template, extractors, request, response }) =>
    oatf.interpolateTemplate(template, extractors ?? {}, request ?? undefined, response ?? undefined).text,
  'interpolate-value': ({ value, extractors, request, response }) =>
    oatf.interpolateValue(value, extractors ?? {}, request ?? undefined, response ?? undefined).value,
  'parse-duration': (text) => {
    const seconds = oatf.parseDuration(text);
    return typeof seconds === 'number' ? { seconds } : { error: true };
  },
  'resolve-simple-path': ({ path, value }) => {
    const found = oatf.resolveSimplePath(path, value);
    return found === null ? { found: true, value: null } : (found ?? null);
  },
  'resolve-wildcard-path': ({ path, value }) => ({ values: oatf.resolveWildcardPath(path, value) }),
  'select-response': ({ entries, request }) => {
    const selected = oatf.selectResponse<Fixture>(entries, request);
    if (selected === undefined) return null;
    const { when: _, ...rest } = selected;
    return rest;
  },
};

function withoutNulls(map: Fixture): Fixture {
  return Object.fromEntries(Object.entries(map).filter(([, value]) => value !== null));
}
