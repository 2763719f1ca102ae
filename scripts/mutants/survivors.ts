import type { Mutant } from './mutants-of.ts';

/** A mutant that no test needs to notice. It is identified by its text, so that it is found again when lines move. */
export interface Survivor extends Pick<Mutant, 'file' | 'within' | 'before' | 'after'> {
  readonly reason: string;
  /** Whether the change has no effect. Otherwise it is a change that we choose not to test. */
  readonly isEquivalent: boolean;
}

export const survivors: readonly Survivor[] = [
  {
    file: 'src/primitives/interpolate-template.ts',
    within: "if (open > at && template[open - 1] === '\\\\') {",
    before: '>',
    after: '>=',
    reason: 'what stands before `at` is a brace or nothing, and no backslash',
    isEquivalent: true,
  },
  {
    file: 'src/primitives/interpolate-value.ts',
    within: 'if (!hasTemplate(value)) return { value, diagnostics: [], unresolved: [] };',
    before: '!hasTemplate(value)',
    after: 'false',
    reason: 'a value without templates is copied instead; the bench holds the time',
    isEquivalent: true,
  },
  {
    file: 'src/primitives/compact-json.ts',
    within: 'const difference = point - (right[index] ?? -1);',
    before: '1',
    after: '(1 + 1)',
    reason: 'anything below 0 comes before every character',
    isEquivalent: true,
  },
  {
    file: 'src/evaluate/echoes.ts',
    within: 'if (finders.length === 0) return undefined;',
    before: 'finders.length === 0',
    after: 'false',
    reason: 'without finders nothing is found, only more slowly',
    isEquivalent: true,
  },
  {
    file: 'src/evaluate/message-view.ts',
    within: 'resolved.set(target, values);',
    before: 'resolved.set(target, values);',
    after: ';',
    reason: 'a path is resolved again and gives the same; the bench holds the time',
    isEquivalent: true,
  },
  {
    file: 'src/evaluate/projections.ts',
    within: 'if (byProtocol.size === 0 && !wantsBody) return undefined;',
    before: 'byProtocol.size === 0 && !wantsBody',
    after: 'false',
    reason: 'a projector without parts projects nothing, only more slowly',
    isEquivalent: true,
  },
  {
    file: 'src/validate/state.ts',
    within: '(phase.extractors ?? []).flatMap((extractor) => extractor.name ?? []),',
    before: 'extractor.name ?? []',
    after: 'extractor.name',
    reason: 'names are looked up, and no reference has a name that is not there',
    isEquivalent: true,
  },
  {
    file: 'src/suite/read-lines.ts',
    within: 'parts = [];',
    before: 'parts = [];',
    after: ';',
    reason: 'what is dropped is held until its line ends, and no more is added to it',
    isEquivalent: true,
  },
  {
    file: 'src/suite/shard.ts',
    within: 'if (best === undefined) continue;',
    before: 'continue;',
    after: ';',
    reason: 'the best so far is one of the list; the compiler alone does not know it',
    isEquivalent: true,
  },
  {
    file: 'src/evaluate/cel-evaluator.ts',
    within: 'if (program === undefined) {',
    before: 'program === undefined',
    after: 'true',
    reason: 'an expression is compiled again and gives the same; the bench holds the time',
    isEquivalent: true,
  },
  {
    file: 'src/primitives/evaluate-predicate.ts',
    within: "return compiled.test(value, () => textOf(value, 'sorted')) === true;",
    before: "'sorted'",
    after: "''",
    reason: 'every order but `own` is sorted',
    isEquivalent: true,
  },
  {
    file: 'src/primitives/evaluate-condition.ts',
    within: 'starts_with: textOperator((text, part) => (text.startsWith(part) ? 0 : -1)),',
    before: '1',
    after: '(1 + 1)',
    reason: 'any place below 0 is none',
    isEquivalent: true,
  },
  {
    file: 'src/primitives/interpolate-template.ts',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: this is the line as it stands there
    within: 'message: `template reference "${part.name.slice(0, 80)}" does not resolve`,',
    before: '80',
    after: '(80 + 1)',
    reason: 'how much of a long name a warning repeats is for people',
    isEquivalent: false,
  },
  {
    file: 'src/engine/calls.ts',
    within: 'if (agenda.length > 0) return false;',
    before: 'agenda.length > 0',
    after: 'false',
    reason: 'something is left on the agenda only while a call is open, which the next line finds',
    isEquivalent: true,
  },
  {
    file: 'src/engine/calls.ts',
    within: 'const content = params ?? {};',
    before: 'params ?? {}',
    after: 'params',
    reason: 'no binding of ours counts a call that has no params',
    isEquivalent: false,
  },
  {
    file: 'src/engine/exchanges.ts',
    within: 'else if (step !== undefined) notify(work, phase, target, step.method, step.params(fill));',
    before: 'step !== undefined',
    after: 'true',
    reason: 'the loop ends before the last step; the compiler alone does not know it',
    isEquivalent: true,
  },
];

export function knownSurvivor(mutant: Mutant): Survivor | undefined {
  return survivors.find((known) =>
    (['file', 'within', 'before', 'after'] as const).every((field) => known[field] === mutant[field]),
  );
}
