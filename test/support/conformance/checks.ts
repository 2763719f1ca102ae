import { basename } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import * as oatf from '../../../src/index.ts';
import { type Check, difference, documentOf, type Fixture, shown, unreadable } from './fixture.ts';
import { primitives } from './primitives.ts';
import { invalidCheck, validateCheck, validCheck } from './reports.ts';

interface Normalized {
  readonly document: oatf.NormalizedDocument;
  readonly fault?: string;
}

const normalizeCheck: Check<Normalized> = {
  observe({ input }) {
    const given = documentOf(input);
    const before = asText(given);
    const document = oatf.normalize(given);
    if (asText(given) !== before) return { document, fault: 'normalize changed its input' };
    const isStable = isDeepStrictEqual(oatf.normalize(document), document);
    return isStable ? { document } : { document, fault: 'normalizing twice gives something else' };
  },
  judge: ({ document, fault }, { expected }) => fault ?? difference(withPhaseModes(documentOf(expected)), document),
};

/** As text, because a clone loses numbers as written and the order of keys that look like an index. */
function asText(document: oatf.Document): string {
  return oatf.stringifyJson(document as unknown as oatf.Value);
}

/** Fixtures omit the mode of a phase if it equals the actor's. */
function withPhaseModes(document: oatf.Document): unknown {
  const { attack } = document;
  const actors = attack.execution.actors?.map((actor) => ({
    ...actor,
    phases: actor.phases.map((phase) => ({ ...phase, mode: phase.mode ?? actor.mode })),
  }));
  return {
    ...document,
    attack: { ...attack, execution: { ...attack.execution, ...(actors && { actors }) } },
  };
}

const roundtripCheck: Check<string | undefined> = {
  observe({ input }) {
    const first = oatf.normalize(documentOf(input));
    return difference(first, oatf.normalize(documentOf(oatf.serialize(first))));
  },
  judge(differs, { expected }) {
    const unclear = unreadable(expected, ['identical']);
    if (unclear !== undefined) return unclear;
    if (expected.identical === true) return differs;
    return differs === undefined ? 'expected something else after the round trip, got the same' : undefined;
  },
};

const evaluateCheck: Check<oatf.IndicatorVerdict> = {
  observe({ input }) {
    const { message, cel_evaluator, semantic_evaluator } = input;
    const document = documentOf(
      JSON.stringify({
        oatf: '0.1',
        attack: {
          execution: { mode: 'mcp_server', state: {} },
          indicators: [input.indicator],
        },
      }),
    );
    const indicator = oatf.normalize(document).attack.indicators?.[0];
    if (indicator === undefined) throw new Error('the fixture has no indicator');
    return oatf.evaluateIndicator(indicator, message, {
      cel: cel_evaluator === 'absent' ? undefined : oatf.createCelEvaluator(),
      semantic: semantic_evaluator?.present ? { evaluate: () => semantic_evaluator.mock_score } : undefined,
    });
  },
  judge(verdict, { expected, expected_error_kind }, _file, { exact = false }) {
    if (verdict.result !== expected) return `expected ${expected}, got ${shown(verdict)}`;
    const isAsked = expected_error_kind !== undefined || exact;
    return isAsked && verdict.error?.kind !== expected_error_kind
      ? `expected error kind ${expected_error_kind}, got ${shown(verdict.error)}`
      : undefined;
  },
};

const verdictCheck: Check<unknown> = {
  observe({ input }) {
    const verdicts = new Map<string, oatf.IndicatorVerdict>(
      (input.verdicts ?? []).map((verdict: Fixture) => [
        verdict.indicator_id,
        { indicatorId: verdict.indicator_id, result: verdict.result },
      ]),
    );
    const attack = {
      ...(input.indicators && { indicators: input.indicators }),
      ...(input.correlation_logic && { correlation: { logic: input.correlation_logic } }),
    };
    const verdict = oatf.encode('AttackVerdict', oatf.computeVerdict(attack, verdicts));
    const { result, max_tier, evaluation_summary } = verdict as Fixture;
    return { result, max_tier, evaluation_summary };
  },
  judge: (verdict, { expected }) => difference(expected, verdict),
};

const primitiveCheck: Check<unknown> = {
  observe({ input }, file) {
    const run = primitives[basename(file, '.yaml')];
    if (run === undefined) throw new Error(`no such primitive: ${file}`);
    return run(input);
  },
  judge: (value, { expected }) => difference(expected, value),
};

/** How cases are checked, by the folder that their file is in. */
export const checks: { readonly [folder: string]: Check<unknown> } = {
  'parse/valid': validCheck,
  'parse/invalid': invalidCheck,
  validate: validateCheck,
  normalize: normalizeCheck,
  roundtrip: roundtripCheck,
  evaluate: evaluateCheck,
  verdict: verdictCheck,
  primitives: primitiveCheck,
};
