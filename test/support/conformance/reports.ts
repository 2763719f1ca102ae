import * as oatf from '../../../src/index.ts';
import { type Check, type Failure, type Fixture, shown, unreadable } from './fixture.ts';

// Fixtures about what is reported: documents that must not parse, and errors and warnings of validation.

interface Reported {
  readonly rule: string;
  readonly path: string;
}

interface Reports {
  readonly errors: readonly Reported[];
  readonly warnings: readonly Reported[];
}

/** Public cases that contradict their own document. Their rule is still asserted. */
const knownWrongPaths: { readonly [id: string]: string } = {
  'VAL-032b': 'names ….tools[0].response.content[0].text where its document has ….tools[0].responses[0].content.…',
};

/** The reports of parse and validate, or those of `diagnose` if a document does not parse. */
function reportedFor(text: string): Reports {
  const parsed = oatf.parse(text);
  if (parsed.ok) {
    const { errors, warnings } = oatf.validate(parsed.document);
    return {
      errors: errors.map(({ rule, path }) => ({ rule, path })),
      warnings: warnings.map(({ code, path = '' }) => ({ rule: code, path })),
    };
  }
  const found = oatf.diagnose(text).map(({ severity, code, path }) => ({ severity, rule: code, path }));
  const of = (wanted: string): Reported[] =>
    found.flatMap(({ severity, rule, path }) => (severity === wanted ? [{ rule, path }] : []));
  return {
    errors: [...parsed.errors.map(({ rule, kind, path = '' }) => ({ rule: rule ?? kind, path })), ...of('error')],
    warnings: of('warning'),
  };
}

export const validateCheck: Check<Reports> = {
  observe: ({ input }) => reportedFor(input),
  judge(reported, { id, name, expected }, file, { exact = false }) {
    const isWarnings = file.endsWith('warnings.yaml');
    return (
      unreadable(expected, ['valid', 'errors', 'warnings']) ??
      checkValidity(expected, isWarnings, reported.errors) ??
      checkLists({ expected, reported, id, exact }) ??
      (expected.warnings?.length === 0
        ? unwanted(reported.warnings, isWarnings && !exact ? ruleIn(name) : undefined)
        : undefined)
    );
  },
};

/** In the file of warnings no case has errors. */
function checkValidity(expected: Fixture, isWarnings: boolean, errors: readonly Reported[]): Failure {
  const isClean = expected.valid === true || expected.errors?.length === 0 || isWarnings;
  if (isClean && errors.length > 0) return `expected no errors, got ${shown(errors)}`;
  return expected.valid === false && errors.length === 0 ? 'expected errors, got none' : undefined;
}

function checkLists({
  expected,
  reported,
  id,
  exact,
}: {
  readonly expected: Fixture;
  readonly reported: Reports;
  readonly id: string;
  readonly exact: boolean;
}): Failure {
  for (const kind of ['errors', 'warnings'] as const) {
    const got = reported[kind];
    const wanted: readonly (Partial<Reported> & Pick<Reported, 'rule'>)[] = expected[kind] ?? [];
    const isKnownWrong = knownWrongPaths[id] !== undefined;
    const fits = (one: Reported, { rule, path }: (typeof wanted)[number]): boolean =>
      one.rule === rule && (one.path === path || isKnownWrong || (path === undefined && !exact));
    const missing = wanted.find((one) => !got.some((other) => fits(other, one)));
    if (missing !== undefined) return `expected of ${kind} ${shown(missing)}, got ${shown(got)}`;
    const unnamed = exact ? got.find((one) => !wanted.some((other) => fits(one, other))) : undefined;
    if (unnamed !== undefined) return `${shown(unnamed)} is not among the expected ${kind}`;
  }
  return undefined;
}

function ruleIn(name: string): string | undefined {
  return /[VW]-\d{3}/.exec(name)?.[0];
}

function unwanted(warnings: readonly Reported[], rule: string | undefined): Failure {
  const found = warnings.filter((warning) => rule === undefined || warning.rule === rule);
  return found.length > 0 ? `expected no such warning, got ${shown(found)}` : undefined;
}

/** A document that must parse. */
export const validCheck: Check<oatf.ParseResult> = {
  observe: ({ text }) => oatf.parse(text),
  judge: (parsed) => (parsed.ok ? undefined : `expected a document, got ${shown(parsed.errors)}`),
};

/** A document that must not parse, for the reason that the file beside it gives. */
export const invalidCheck: Check<oatf.ParseResult> = {
  observe: ({ text }) => oatf.parse(text),
  judge(parsed, { meta }, _file, { exact = false }) {
    if (parsed.ok) return 'expected a parse error, got a document';
    const unclear = unreadable(meta, ['expected_error', 'errors']);
    if (unclear !== undefined) return unclear;
    if (meta.errors === undefined)
      return exact ? 'the file beside it does not list its `errors`' : checkWords(parsed.errors, meta.expected_error);
    const listed = (errors: readonly Fixture[]): string => shown(errors.map(inWords).sort());
    const [wanted, got] = [listed(meta.errors), listed(parsed.errors)];
    return wanted === got ? undefined : `expected errors ${wanted}, got ${got}`;
  },
};

function checkWords(errors: readonly oatf.ParseError[], words: string): Failure {
  const isMeant = reasons.find((reason) => reason.words.test(words))?.isMeant;
  return isMeant === undefined || errors.some((error) => isMeant(error, words))
    ? undefined
    : `expected ${shown(words)}, got ${shown(errors)}`;
}

function inWords({ kind, rule, path, line }: Fixture): string {
  return [kind, rule, path, line].filter((part) => part !== undefined).join(' ');
}

/** The words of public fixtures, as far as they are known. */
const reasons: readonly {
  readonly words: RegExp;
  isMeant(error: oatf.ParseError, words: string): boolean;
}[] = [
  { words: /^Empty document/, isMeant: ({ kind, message }) => kind === 'syntax' && /empty/.test(message) },
  { words: /not valid YAML/, isMeant: ({ kind }) => kind === 'syntax' },
  {
    words: /^\S+ must be an? /,
    isMeant: ({ kind, path = '' }, words) => kind === 'type_mismatch' && `.${path}`.endsWith(`.${words.split(' ')[0]}`),
  },
  {
    words: /^Unknown field/,
    isMeant: ({ kind, message }) => kind === 'type_mismatch' && /unknown field/.test(message),
  },
];
