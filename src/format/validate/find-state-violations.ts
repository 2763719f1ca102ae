import { isCompileFailure } from '../expression/evaluation-limits.ts';
import { compileRegex } from '../expression/regex.ts';
import { enumerations } from '../model/enumeration-types.ts';
import type { Path } from '../model/path.ts';
import { isValueMap, type Value } from '../model/value.ts';
import { findMalformedOperator, isMatchCondition } from '../primitives/evaluate-condition.ts';
import { suggestOperator } from '../primitives/find-misspelt-operator.ts';
import { splitTemplate } from '../primitives/interpolate-template.ts';
import { patterns } from '../registry/fields.ts';
import { actionExtensions, explainKey, isStateExtension, listStateKeys } from '../registry/payload-shapes.ts';
import {
  listActorPlaces,
  listConditions,
  listExtractors,
  listOperatorMaps,
  listPhasePlaces,
  listPredicates,
  listResponseEntries,
  listResponseLists,
  listStateMaps,
  listStates,
  listTemplates,
  listWhens,
} from './document-parts.ts';
import { findMisspeltCondition, findOperatorPaths } from './find-misspelt-conditions.ts';
import type { RuleFinding, RuleTable } from './rule-finding.ts';
import { createFinding, quoteValue, shortenQuote, suggestKey } from './rule-finding.ts';

const simplePath = new RegExp(patterns.simplePath);

export const stateRules = {
  'O-001': function* (document) {
    for (const { item, path } of listStates(document))
      if (!isValueMap(item)) yield createFinding(path, '`state` must be a mapping');
  },
  'O-009': function* (document) {
    for (const { item, path, mode } of listStates(document)) {
      if (mode === undefined || !isValueMap(item)) continue;
      const known = listStateKeys(mode);
      if (known === undefined) continue;
      for (const key of Object.keys(item)) {
        if (known.includes(key) || key.startsWith('x-')) continue;
        if (isStateExtension(mode, key)) {
          yield* warnOfOwnKey(item, key, path);
          continue;
        }
        yield createFinding(
          [...path, key],
          `the ${mode} binding does not define the state key ${quoteValue(key)}`,
          explainKey(key) ?? suggestKey(key, known),
        );
      }
      for (const { item: action, path: here } of listStateMaps(item, 'actions', path))
        yield* warnOfOwnKey(action, 'headers', here);
      for (const { item: tool, path: here } of listStateMaps(item, 'tools', path))
        for (const { item: entry, path: there } of listStateMaps(tool, 'responses', here))
          yield* warnOfOwnKey(entry, 'task', there);
    }
    for (const { phase, path } of listPhasePlaces(document))
      for (const [index, { binding = {} }] of (phase.onEnter ?? []).entries())
        for (const key of Object.keys(binding))
          if (actionExtensions.has(key)) yield* warnOfOwnKey(binding, key, [...path, 'on_enter', index]);
  },
  'V-005': function* (document) {
    for (const { item: state, path } of listStates(document)) {
      for (const { item, path: here } of listStateMaps(state, 'elicitation_responses', path))
        yield* checkMember(item.action, enumerations.ElicitationAction, [...here, 'action']);
      for (const { item, path: here } of listStateMaps(state, 'elicitations', path))
        yield* checkMember(item.mode, enumerations.ElicitationMode, [...here, 'mode']);
    }
  },
  'O-010': function* (document) {
    for (const { item, path } of listWhens(document)) {
      if (!isValueMap(item)) yield createFinding(path, '`when` is not a mapping, so it never holds');
      else
        for (const [key, condition] of Object.entries(item)) {
          const wrong = isMatchCondition(condition) ? findMalformedOperator(condition) : undefined;
          if (wrong !== undefined)
            yield createFinding(
              [...path, key, wrong],
              `\`${wrong}\` is not an operator that can hold`,
              suggestOperator(wrong),
            );
        }
    }
  },
  'O-017': function* (document) {
    for (const { item, path } of listConditions(document)) yield* findMisspeltCondition(item, path);
    for (const { item, path } of listPredicates(document)) yield* findOperatorPaths(item, path);
  },
  'V-033': function* (document) {
    for (const { item: list, path } of listResponseLists(document)) {
      const catchAll = list.filter((entry) => isValueMap(entry) && (entry.when ?? null) === null);
      if (catchAll.length > 1)
        yield createFinding(path, `${catchAll.length} entries have no \`when\`; only one can be the fallback`);
    }
  },
  'W-006': function* (document) {
    const message = '`synthesize` is reserved; `content` is used instead, if there is any';
    for (const { item, path } of listResponseEntries(document))
      if ((item.synthesize ?? null) !== null) yield createFinding([...path, 'synthesize'], message);
    for (const { item: state, path } of listStates(document)) {
      const input = isValueMap(state) ? state.run_agent_input : undefined;
      if (isValueMap(input) && (input.synthesize ?? null) !== null)
        yield createFinding([...path, 'run_agent_input', 'synthesize'], message);
    }
  },
  'V-027': function* (document) {
    for (const { item, path } of listPredicates(document))
      for (const key of Object.keys(item))
        if (!simplePath.test(key))
          yield createFinding(
            [...path, key],
            `${quoteValue(key)} is not a simple dot-path`,
            'names joined by dots; wildcards and indices are for indicators',
          );
  },
  'V-013': function* (document) {
    for (const { item, path } of listOperatorMaps(document))
      if (typeof item.regex === 'string') yield* checkRegex(item.regex, [...path, 'regex']);
    for (const { item, path } of listExtractors(document))
      if (item.type === 'regex' && item.selector !== undefined) yield* checkRegex(item.selector, [...path, 'selector']);
  },
  'O-006': function* (document) {
    for (const { item, path } of listOperatorMaps(document))
      if (Array.isArray(item.any_of) && item.any_of.length === 0)
        yield createFinding([...path, 'any_of'], '`any_of` is empty, so nothing can match');
  },
  'V-016': function* (document) {
    for (const { item, path } of listTemplates(document))
      for (const part of splitTemplate(item))
        if (part.kind === 'unclosed')
          yield createFinding(
            path,
            'template reference `{{` is never closed',
            'write \\{{ for two braces that are text',
          );
  },
  'V-032': function* (document) {
    const names = new Set(listActorPlaces(document).flatMap(({ name }) => name ?? []));
    for (const { item, path } of listTemplates(document))
      for (const { actor, name } of listQualifiedReferences(item))
        if (!names.has(actor))
          yield findBlanks(path, name) ??
            createFinding(
              path,
              `{{${shortenQuote(name)}}} refers to an actor that the document does not have`,
              `its actors: ${[...names].join(', ')}; write \\{{ for two braces that are text`,
            );
  },
  'W-004': function* (document) {
    const declared = new Map(
      listActorPlaces(document).map(({ name, phases }) => [
        name ?? '',
        new Set(phases.flatMap(({ phase }) => (phase.extractors ?? []).flatMap((extractor) => extractor.name ?? []))),
      ]),
    );
    for (const { item, path, actor } of listTemplates(document)) {
      for (const name of listLocalReferences(item))
        if (!declared.get(actor.name ?? '')?.has(name))
          yield {
            ...(findBlanks(path, name) ??
              createFinding(path, `no phase of this actor declares an extractor ${quoteValue(name)}`)),
            reference: name,
          };
      for (const reference of listQualifiedReferences(item))
        if (declared.get(reference.actor)?.has(reference.extractor) === false)
          yield {
            ...(findBlanks(path, reference.name) ??
              createFinding(path, `actor ${reference.actor} declares no extractor ${quoteValue(reference.extractor)}`)),
            reference: reference.extractor,
          };
    }
  },
} satisfies RuleTable;

function* checkMember(value: Value | undefined, members: readonly string[], path: Path): Generator<RuleFinding> {
  if (value === undefined || value === null || (typeof value === 'string' && members.includes(value))) return;
  yield createFinding(path, `${quoteValue(value)} is not one of ${members.join(', ')}`);
}

function* checkRegex(source: string, path: Path): Generator<RuleFinding> {
  const compiled = compileRegex(source);
  if (!isCompileFailure(compiled)) return;
  const lookaround = /\(\?<?[=!]/.test(source);
  yield createFinding(
    path,
    `not a valid RE2 expression: ${compiled.failure}`,
    lookaround ? 'RE2 has no lookaround; use several conditions or a CEL expression' : undefined,
  );
}

/** The finding for a reference that resolves to nothing because of blanks around its name. */
function findBlanks(path: Path, name: string): RuleFinding | undefined {
  const meant = name.trim();
  return meant === name
    ? undefined
    : createFinding(
        path,
        `{{${shortenQuote(name)}}} never resolves: the blanks within the braces are part of the name`,
        `write {{${shortenQuote(meant)}}}`,
      );
}

function* listReferences(template: string): Generator<string> {
  for (const part of splitTemplate(template)) if (part.kind === 'reference') yield part.name;
}

function isMessageReference(name: string): boolean {
  return name.startsWith('request.') || name.startsWith('response.');
}

function* listLocalReferences(template: string): Generator<string> {
  for (const name of listReferences(template)) if (!name.includes('.')) yield name;
}

function* listQualifiedReferences(
  template: string,
): Generator<{ readonly name: string; readonly actor: string; readonly extractor: string }> {
  for (const name of listReferences(template)) {
    const dot = name.indexOf('.');
    if (dot >= 0 && !isMessageReference(name))
      yield { name, actor: name.slice(0, dot), extractor: name.slice(dot + 1) };
  }
}

function* warnOfOwnKey(entry: object, key: string, path: Path): Generator<RuleFinding> {
  if (Object.hasOwn(entry, key))
    yield createFinding([...path, key], `${quoteValue(key)} is an extension of this tool; others may ignore it`);
}
