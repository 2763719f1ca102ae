import { isCompileFailure } from '../expression/limits.ts';
import { compileRegex } from '../expression/regex.ts';
import type { Path } from '../model/path.ts';
import type { Value } from '../model/value.ts';
import { isValueMap } from '../model/value.ts';
import { isMatchCondition, malformedOperator } from '../primitives/evaluate-condition.ts';
import { templateParts } from '../primitives/interpolate-template.ts';
import { enumerations } from '../registry/enumerations.ts';
import { patterns } from '../registry/fields.ts';
import { actionExtensions, meaningOf } from '../registry/payload-shapes.ts';
import { isStateExtension, stateKeysOf } from '../registry/state-keys.ts';
import { nearest } from '../registry/suggestions.ts';
import {
  actorsOf,
  extractorsOf,
  mapsIn,
  operatorsOf,
  phasesOf,
  predicatesOf,
  responseEntriesOf,
  responseListsOf,
  statesOf,
  templatesOf,
  whensOf,
} from './places.ts';
import { at, type Finding, type RuleTable, shortened, shown } from './rule.ts';

const simplePath = new RegExp(patterns.simplePath);

export const stateRules = {
  'O-001': function* (document) {
    for (const { item, path } of statesOf(document))
      if (!isValueMap(item)) yield at(path, '`state` must be a mapping');
  },
  'O-009': function* (document) {
    for (const { item, path, mode } of statesOf(document)) {
      if (mode === undefined || !isValueMap(item)) continue;
      const known = stateKeysOf(mode);
      if (known === undefined) continue;
      for (const key of Object.keys(item)) {
        if (known.includes(key) || key.startsWith('x-')) continue;
        if (isStateExtension(mode, key)) {
          yield* ours(item, key, path);
          continue;
        }
        const meant = nearest(key, known);
        yield at(
          [...path, key],
          `the ${mode} binding does not define the state key ${shown(key)}`,
          meaningOf(key) ?? (meant === undefined ? undefined : `did you mean \`${meant}\`?`),
        );
      }
      for (const { item: action, path: here } of mapsIn(item, 'actions', path))
        yield* ours(action, 'headers', here);
      for (const { item: tool, path: here } of mapsIn(item, 'tools', path))
        for (const { item: entry, path: there } of mapsIn(tool, 'responses', here))
          yield* ours(entry, 'task', there);
    }
    for (const { phase, path } of phasesOf(document))
      for (const [index, { binding = {} }] of (phase.onEnter ?? []).entries())
        for (const key of Object.keys(binding))
          if (actionExtensions.has(key)) yield* ours(binding, key, [...path, 'on_enter', index]);
  },
  'V-005': function* (document) {
    for (const { item: state, path } of statesOf(document)) {
      for (const { item, path: here } of mapsIn(state, 'elicitation_responses', path))
        yield* member(item.action, enumerations.ElicitationAction, [...here, 'action']);
      for (const { item, path: here } of mapsIn(state, 'elicitations', path))
        yield* member(item.mode, enumerations.ElicitationMode, [...here, 'mode']);
    }
  },
  'O-010': function* (document) {
    for (const { item, path } of whensOf(document)) {
      if (!isValueMap(item)) yield at(path, '`when` is not a mapping, so it never holds');
      else
        for (const [key, condition] of Object.entries(item)) {
          const wrong = isMatchCondition(condition) ? malformedOperator(condition) : undefined;
          if (wrong !== undefined)
            yield at([...path, key, wrong], `\`${wrong}\` is not an operator that can hold`);
        }
    }
  },
  'V-033': function* (document) {
    for (const { item: list, path } of responseListsOf(document)) {
      const catchAll = list.filter((entry) => isValueMap(entry) && (entry.when ?? null) === null);
      if (catchAll.length > 1)
        yield at(path, `${catchAll.length} entries have no \`when\`; only one can be the fallback`);
    }
  },
  'W-006': function* (document) {
    const message = '`synthesize` is reserved; `content` is used instead, if there is any';
    for (const { item, path } of responseEntriesOf(document))
      if ((item.synthesize ?? null) !== null) yield at([...path, 'synthesize'], message);
    for (const { item: state, path } of statesOf(document)) {
      const input = isValueMap(state) ? state.run_agent_input : undefined;
      if (isValueMap(input) && (input.synthesize ?? null) !== null)
        yield at([...path, 'run_agent_input', 'synthesize'], message);
    }
  },
  'V-027': function* (document) {
    for (const { item, path } of predicatesOf(document))
      for (const key of Object.keys(item))
        if (!simplePath.test(key))
          yield at(
            [...path, key],
            `${shown(key)} is not a simple dot-path`,
            'names joined by dots; wildcards and indices are for indicators',
          );
  },
  'V-013': function* (document) {
    for (const { item, path } of operatorsOf(document))
      if (typeof item.regex === 'string') yield* regex(item.regex, [...path, 'regex']);
    for (const { item, path } of extractorsOf(document))
      if (item.type === 'regex' && item.selector !== undefined)
        yield* regex(item.selector, [...path, 'selector']);
  },
  'O-006': function* (document) {
    for (const { item, path } of operatorsOf(document))
      if (Array.isArray(item.any_of) && item.any_of.length === 0)
        yield at([...path, 'any_of'], '`any_of` is empty, so nothing can match');
  },
  'V-016': function* (document) {
    for (const { item, path } of templatesOf(document))
      for (const part of templateParts(item))
        if (part.kind === 'unclosed')
          yield at(
            path,
            'template reference `{{` is never closed',
            'write \\{{ for two braces that are text',
          );
  },
  'V-032': function* (document) {
    const names = new Set(actorsOf(document).flatMap(({ name }) => name ?? []));
    for (const { item, path } of templatesOf(document))
      for (const { actor, name } of qualifiedReferences(item))
        if (!names.has(actor))
          yield at(
            path,
            `{{${shortened(name)}}} refers to an actor that the document does not have`,
            `its actors: ${[...names].join(', ')}; write \\{{ for two braces that are text`,
          );
  },
  'W-004': function* (document) {
    const declared = new Map(
      actorsOf(document).map(({ name, phases }) => [
        name ?? '',
        new Set(
          phases.flatMap(({ phase }) =>
            (phase.extractors ?? []).flatMap((extractor) => extractor.name ?? []),
          ),
        ),
      ]),
    );
    for (const { item, path, actor } of templatesOf(document)) {
      for (const name of localReferences(item))
        if (!declared.get(actor.name ?? '')?.has(name))
          yield {
            ...at(path, `no phase of this actor declares an extractor ${shown(name)}`),
            reference: name,
          };
      for (const reference of qualifiedReferences(item))
        if (declared.get(reference.actor)?.has(reference.extractor) === false)
          yield {
            ...at(path, `actor ${reference.actor} declares no extractor ${shown(reference.extractor)}`),
            reference: reference.extractor,
          };
    }
  },
} satisfies RuleTable;

function* member(value: Value | undefined, members: readonly string[], path: Path): Generator<Finding> {
  if (value === undefined || value === null || (typeof value === 'string' && members.includes(value))) return;
  yield at(path, `${shown(value)} is not one of ${members.join(', ')}`);
}

function* regex(source: string, path: Path): Generator<Finding> {
  const compiled = compileRegex(source);
  if (!isCompileFailure(compiled)) return;
  const lookaround = /\(\?<?[=!]/.test(source);
  yield at(
    path,
    `not a valid RE2 expression: ${compiled.failure}`,
    lookaround ? 'RE2 has no lookaround; use several conditions or a CEL expression' : undefined,
  );
}

function* referencesIn(template: string): Generator<string> {
  for (const part of templateParts(template)) if (part.kind === 'reference') yield part.name;
}

function isMessageReference(name: string): boolean {
  return name.startsWith('request.') || name.startsWith('response.');
}

function* localReferences(template: string): Generator<string> {
  for (const name of referencesIn(template)) if (!name.includes('.')) yield name;
}

function* qualifiedReferences(
  template: string,
): Generator<{ readonly name: string; readonly actor: string; readonly extractor: string }> {
  for (const name of referencesIn(template)) {
    const dot = name.indexOf('.');
    if (dot >= 0 && !isMessageReference(name))
      yield { name, actor: name.slice(0, dot), extractor: name.slice(dot + 1) };
  }
}

function* ours(entry: object, key: string, path: Path): Generator<Finding> {
  if (Object.hasOwn(entry, key))
    yield at([...path, key], `${shown(key)} is an extension of this tool; others may ignore it`);
}
