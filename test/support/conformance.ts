import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { parseDocument } from 'yaml';
import * as oatf from '../../src/index.ts';

// Runs a fixture tree of the shape that /docs/conformance.md describes, case by case.

export interface CaseResult {
  /** File and id, such as `validate/suite.yaml VAL-013b`. */
  readonly id: string;
  readonly name: string;
  /** What was expected and what came; absent when the case passed. */
  readonly failure?: string;
}

// biome-ignore lint/suspicious/noExplicitAny: fixtures are data from outside
type Fixture = any;

/** Public cases that contradict their own document. Their rule is still asserted. */
const knownWrongPaths: { readonly [id: string]: string } = {
  'VAL-032b':
    'names ….tools[0].response.content[0].text where its document has ….tools[0].responses[0].content.…',
};

export function runConformance(root: string): CaseResult[] {
  return [
    ...parseCases(join(root, 'parse')),
    ...['validate/suite.yaml', 'validate/warnings.yaml'].flatMap((file) =>
      runFile(root, file, checkValidate),
    ),
    ...runFile(root, 'normalize/suite.yaml', checkNormalize),
    ...runFile(root, 'roundtrip/suite.yaml', checkRoundtrip),
    ...filesIn(root, 'evaluate').flatMap((file) => runFile(root, file, checkEvaluate)),
    ...filesIn(root, 'verdict').flatMap((file) => runFile(root, file, checkVerdict)),
    ...filesIn(root, 'primitives').flatMap((file) => runFile(root, file, checkPrimitive)),
  ];
}

function filesIn(root: string, folder: string): string[] {
  const path = join(root, folder);
  return existsSync(path)
    ? readdirSync(path)
        .filter((name) => name.endsWith('.yaml'))
        .sort()
        .map((name) => `${folder}/${name}`)
    : [];
}

type Check = (fixture: Fixture, file: string) => string | undefined;

function runFile(root: string, file: string, check: Check): CaseResult[] {
  const path = join(root, file);
  if (!existsSync(path)) return [];
  const cases: Fixture[] = readData(readFileSync(path, 'utf8'));
  return cases.map((fixture) => {
    const result = { id: `${file} ${fixture.id}`, name: String(fixture.name) };
    const failure = guarded(() => check(fixture, file));
    return failure === undefined ? result : { ...result, failure };
  });
}

/** A case that makes us throw fails, and does not hide the others. */
function guarded(check: () => string | undefined): string | undefined {
  try {
    return check();
  } catch (thrown) {
    return `threw ${thrown instanceof Error ? thrown.message : String(thrown)}`;
  }
}

function readData(text: string): Fixture {
  return parseDocument(text, { uniqueKeys: false }).toJS() ?? [];
}

function parseCases(folder: string): CaseResult[] {
  return ['valid', 'invalid'].flatMap((kind) => {
    const path = join(folder, kind);
    if (!existsSync(path)) return [];
    return readdirSync(path)
      .filter((name) => name.endsWith('.yaml') && !name.endsWith('.meta.yaml'))
      .sort()
      .map((name): CaseResult => {
        const result = { id: `parse/${kind}/${name}`, name: basename(name, '.yaml') };
        const failure = guarded(() => {
          const parsed = oatf.parse(readFileSync(join(path, name), 'utf8'));
          if (kind === 'invalid') return parsed.ok ? 'expected a parse error, got a document' : undefined;
          return parsed.ok ? undefined : `expected a document, got ${shown(parsed.errors)}`;
        });
        return failure === undefined ? result : { ...result, failure };
      });
  });
}

interface Reported {
  readonly rule: string;
  readonly path: string;
}

/** What parse and validate report; `diagnose` stands in where a document does not parse. */
function reportedFor(text: string): { errors: Reported[]; warnings: Reported[] } {
  const parsed = oatf.parse(text);
  if (parsed.ok) {
    const { errors, warnings } = oatf.validate(parsed.document);
    return {
      errors: errors.map(({ rule, path }) => ({ rule, path })),
      warnings: warnings.map(({ code, path = '' }) => ({ rule: code, path })),
    };
  }
  const found = oatf.diagnose(text).map(({ severity, code, path }) => ({ severity, rule: code, path }));
  return {
    errors: [
      ...parsed.errors.map(({ rule, kind, path = '' }) => ({ rule: rule ?? kind, path })),
      ...found.filter(({ severity }) => severity === 'error'),
    ],
    warnings: found.filter(({ severity }) => severity === 'warning'),
  };
}

const checkValidate: Check = ({ id, name, input, expected }, file) => {
  const { errors, warnings } = reportedFor(input);
  if ((expected.valid === true || expected.errors?.length === 0) && errors.length > 0)
    return `expected no errors, got ${shown(errors)}`;
  const wrongPath = knownWrongPaths[id] !== undefined;
  for (const wanted of expected.errors ?? [])
    if (!errors.some((error) => fits(error, wanted, wrongPath)))
      return `expected error ${shown(wanted)}, got ${shown(errors)}`;
  for (const wanted of expected.warnings ?? [])
    if (!warnings.some((warning) => fits(warning, wanted, false)))
      return `expected warning ${shown(wanted)}, got ${shown(warnings)}`;
  if (expected.warnings?.length === 0) {
    const named = /[VW]-\d{3}/.exec(name)?.[0];
    const unwanted = file.endsWith('warnings.yaml')
      ? warnings.filter(({ rule }) => rule === named)
      : warnings;
    if (unwanted.length > 0) return `expected no such warning, got ${shown(unwanted)}`;
  }
  return undefined;
};

function fits(reported: Reported, wanted: { rule: string; path?: string }, ignorePath: boolean): boolean {
  return (
    reported.rule === wanted.rule &&
    (ignorePath || wanted.path === undefined || reported.path === wanted.path)
  );
}

function documentOf(text: string): oatf.Document {
  const parsed = oatf.parse(text);
  if (!parsed.ok) throw new Error(`does not parse: ${shown(parsed.errors)}`);
  return parsed.document;
}

const checkNormalize: Check = ({ input, expected }) => {
  const document = documentOf(input);
  const before = structuredClone(document);
  const normalized = oatf.normalize(document);
  if (!isDeepStrictEqual(document, before)) return 'normalize changed its input';
  if (!isDeepStrictEqual(oatf.normalize(normalized), normalized))
    return 'normalizing twice gives something else';
  return difference(withPhaseModes(documentOf(expected)), normalized);
};

/** Fixtures leave a phase's mode out where it equals its actor's. */
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

const checkRoundtrip: Check = ({ input }) => {
  const first = oatf.normalize(documentOf(input));
  const second = oatf.normalize(documentOf(oatf.serialize(first)));
  return difference(first, second);
};

const checkEvaluate: Check = ({ input, expected, expected_error_kind }) => {
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
  if (indicator === undefined) return 'the fixture has no indicator';
  const verdict = oatf.evaluateIndicator(indicator, message, {
    cel: cel_evaluator === 'absent' ? undefined : oatf.createCelEvaluator(),
    semantic: semantic_evaluator?.present ? { evaluate: () => semantic_evaluator.mock_score } : undefined,
  });
  if (verdict.result !== expected) return `expected ${expected}, got ${shown(verdict)}`;
  if (expected_error_kind !== undefined && verdict.error?.kind !== expected_error_kind)
    return `expected error kind ${expected_error_kind}, got ${shown(verdict.error)}`;
  return undefined;
};

const checkVerdict: Check = ({ input, expected }) => {
  const verdicts = new Map<string, oatf.IndicatorVerdict>(
    (input.verdicts ?? []).map((verdict: Fixture) => [
      verdict.indicator_id,
      { indicatorId: verdict.indicator_id, result: verdict.result },
    ]),
  );
  const verdict = oatf.computeVerdict(
    {
      ...(input.indicators && { indicators: input.indicators }),
      ...(input.correlation_logic && { correlation: { logic: input.correlation_logic } }),
    },
    verdicts,
  );
  const { result, max_tier, evaluation_summary } = oatf.encode('AttackVerdict', verdict) as Fixture;
  return difference(expected, {
    result,
    max_tier,
    ...(expected.evaluation_summary !== undefined && { evaluation_summary }),
  });
};

const primitives: { readonly [file: string]: (input: Fixture) => unknown } = {
  'compute-effective-state': ({ phases, phase_index }) =>
    oatf.computeEffectiveState(phases, phase_index) ?? null,
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

const checkPrimitive: Check = ({ input, expected }, file) => {
  const run = primitives[basename(file, '.yaml')];
  return run === undefined ? `no such primitive: ${file}` : difference(expected, run(input));
};

function withoutNulls(map: Fixture): Fixture {
  return Object.fromEntries(Object.entries(map).filter(([, value]) => value !== null));
}

function difference(expected: unknown, actual: unknown): string | undefined {
  return isDeepStrictEqual(plain(expected), plain(actual))
    ? undefined
    : `expected ${shown(expected)}, got ${shown(actual)}`;
}

/** Through JSON, so that an absent field and an undefined one are the same. */
function plain(value: unknown): unknown {
  return value === undefined ? undefined : JSON.parse(JSON.stringify(value));
}

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > 600 ? `${text.slice(0, 600)}…` : text;
}
