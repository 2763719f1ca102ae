import { isCompileFailure } from '../expression/evaluation-limits.ts';
import { compileJsonPath } from '../expression/json-path.ts';
import { compileRegex } from '../expression/regex.ts';
import type { Document } from '../model/attack-document.ts';
import type { Draft } from '../model/draft.ts';
import { nameIndicator, namePhase } from '../model/generated-names.ts';
import type { Path } from '../model/path.ts';
import { parseDuration } from '../primitives/parse-duration.ts';
import { patterns } from '../registry/fields.ts';
import { knownModes } from '../registry/known-modes.ts';
import { hasEvent, listModeEvents } from '../registry/protocol-operations.ts';
import { didYouMean } from '../registry/suggestions.ts';
import {
  executionPath,
  listActorPlaces,
  listExtractors,
  listIndicators,
  listPhasePlaces,
  listTriggers,
} from './document-parts.ts';
import { createFinding, quoteValue, type RuleTable } from './rule-finding.ts';

const nameShape = new RegExp(patterns.name);
const modeShape = new RegExp(patterns.mode);

/** Every mode that the document writes, with its path. */
function* listWrittenModes(document: Draft<Document>): Generator<{ readonly mode: string; readonly path: Path }> {
  const mode = document.attack?.execution?.mode;
  if (mode !== undefined) yield { mode, path: [...executionPath, 'mode'] };
  for (const { actor, path, phases } of listActorPlaces(document)) {
    if (actor?.mode !== undefined) yield { mode: actor.mode, path: [...path, 'mode'] };
    for (const place of phases)
      if (place.phase.mode !== undefined) yield { mode: place.phase.mode, path: [...place.path, 'mode'] };
  }
}

interface NamedPlace {
  readonly name: string | undefined;
  readonly path: Path;
}

/** The written names that normalization gives to items without a name, too. */
function* findTakenNames(
  items: readonly NamedPlace[],
  generateName: (index: number) => string,
): Generator<{ readonly name: string; readonly path: Path }> {
  const generated = new Set(items.flatMap(({ name }, index) => (name === undefined ? generateName(index) : [])));
  for (const { name, path } of items) if (name !== undefined && generated.has(name)) yield { name, path };
}

export const executionRules = {
  'V-030': function* ({ attack }) {
    const execution = attack?.execution;
    if (execution === undefined) return;
    const forms = (['state', 'phases', 'actors'] as const).filter((form) => execution[form] !== undefined);
    if (forms.length !== 1)
      yield createFinding(
        executionPath,
        forms.length === 0
          ? 'execution has none of `state`, `phases` and `actors`'
          : `execution has ${forms.map((form) => `\`${form}\``).join(' and ')}; it must have exactly one of them`,
      );
    if (execution.state !== undefined && execution.mode === undefined)
      yield createFinding([...executionPath, 'mode'], '`mode` is needed beside `state`');
  },
  'O-007': function* ({ attack }) {
    if (attack?.execution?.mode !== undefined && attack.execution.actors !== undefined)
      yield createFinding([...executionPath, 'mode'], '`mode` is not allowed beside `actors`; each actor has its own');
  },
  'V-031': function* (document) {
    const actors = document.attack?.execution?.actors;
    if (actors?.length === 0) yield createFinding([...executionPath, 'actors'], 'there must be at least one actor');
    const seen = new Set<string>();
    for (const { name, path, actor } of listActorPlaces(document)) {
      if (actor === undefined || name === undefined) continue;
      if (!nameShape.test(name))
        yield createFinding(
          [...path, 'name'],
          `${quoteValue(name)} is not an actor name`,
          'lower-case letters, digits and underscores, beginning with a letter',
        );
      if (seen.has(name)) yield createFinding([...path, 'name'], `another actor is named ${quoteValue(name)} already`);
      seen.add(name);
    }
  },
  'V-034': function* (document) {
    for (const { mode, path } of listWrittenModes(document))
      if (!modeShape.test(mode))
        yield createFinding(
          path,
          `${quoteValue(mode)} is not a mode`,
          'a mode is {protocol}_server or {protocol}_client',
        );
    for (const { item, path } of listIndicators(document))
      if (item.protocol !== undefined && !nameShape.test(item.protocol))
        yield createFinding([...path, 'protocol'], `${quoteValue(item.protocol)} is not a protocol name`);
  },
  'W-002': function* (document) {
    for (const { mode, path } of listWrittenModes(document)) {
      if (!modeShape.test(mode) || knownModes().includes(mode)) continue;
      yield createFinding(
        path,
        `no included binding defines the mode ${quoteValue(mode)}`,
        didYouMean(mode, knownModes()),
      );
    }
  },
  'V-007': function* (document) {
    for (const { actor, form, path, phases } of listActorPlaces(document))
      if (phases.length === 0 && (form === 'phases' || actor?.phases !== undefined))
        yield createFinding([...path, 'phases'], 'there must be at least one phase');
  },
  'V-008': function* (document) {
    for (const { path, phases } of listActorPlaces(document)) {
      const terminal = phases.filter(({ phase }) => phase.trigger === undefined);
      if (terminal.length > 1)
        yield createFinding([...path, 'phases'], `${terminal.length} phases have no trigger; only the last one may`);
      for (const place of terminal)
        if (place !== phases.at(-1))
          yield createFinding(
            place.path,
            'a phase without a trigger never ends, so the phases after it are never reached',
          );
    }
  },
  'V-009': function* (document) {
    for (const { phases } of listActorPlaces(document)) {
      const first = phases[0];
      if (first !== undefined && first.phase.state === undefined)
        yield createFinding(first.path, 'the first phase has no `state`, and there is none to inherit');
    }
  },
  'V-011': function* (document) {
    for (const { phases } of listActorPlaces(document)) {
      const seen = new Set<string>();
      for (const { phase, path } of phases) {
        if (phase.name === undefined) continue;
        if (seen.has(phase.name))
          yield createFinding([...path, 'name'], `another phase is named ${quoteValue(phase.name)} already`);
        seen.add(phase.name);
      }
    }
  },
  'O-020': function* (document) {
    for (const { phases } of listActorPlaces(document)) {
      const named = phases.map(({ phase, path }) => ({ name: phase.name, path: [...path, 'name'] }));
      for (const { name, path } of findTakenNames(named, namePhase))
        yield createFinding(
          path,
          `${quoteValue(name)} is the name that normalization gives to another phase, which has none`,
          'name that phase too',
        );
    }
    const named = [...listIndicators(document)].map(({ item, path }) => ({ name: item.id, path: [...path, 'id'] }));
    for (const { name, path } of findTakenNames(named, (at) => nameIndicator(at, document.attack?.id)))
      yield createFinding(
        path,
        `${quoteValue(name)} is the id that normalization gives to another indicator, which has none`,
        'give that indicator an id too',
      );
  },
  'V-028': function* (document) {
    const execution = document.attack?.execution;
    if (execution === undefined || execution.mode !== undefined) return;
    const phases = execution.phases ?? [];
    for (const [index, phase] of phases.entries())
      if (phase.mode === undefined)
        yield createFinding(
          [...executionPath, 'phases', index, 'mode'],
          'without `execution.mode` every phase names its mode',
        );
    const modes = [...new Set(phases.flatMap(({ mode }) => mode ?? []))];
    if (modes.length > 1)
      yield createFinding(
        [...executionPath, 'phases'],
        `phases name different modes (${modes.map(quoteValue).join(', ')})`,
        'an attack with several modes has several `actors`',
      );
    for (const { item, path } of listIndicators(document))
      if (item.protocol === undefined)
        yield createFinding([...path, 'protocol'], 'without `execution.mode` every indicator names its protocol');
  },
  'V-044': function* (document) {
    for (const { actor, phases } of listActorPlaces(document)) {
      // A form without actors has one implied actor, whose mode is that of the execution.
      const [mode, whose] =
        actor === undefined ? [document.attack?.execution?.mode, '`execution.mode` is'] : [actor.mode, 'its actor'];
      for (const { phase, path } of phases)
        if (mode !== undefined && phase.mode !== undefined && phase.mode !== mode)
          yield createFinding(
            [...path, 'mode'],
            `phase has mode ${quoteValue(phase.mode)}, ${whose} ${quoteValue(mode)}`,
            'an attack with several modes has several `actors`',
          );
    }
  },
  'V-019': function* (document) {
    for (const { item, path } of listTriggers(document))
      for (const field of ['count', 'match'] as const)
        if (item[field] !== undefined && item.event === undefined)
          yield createFinding(path, `\`${field}\` means nothing without \`event\``);
  },
  'V-029': function* (document) {
    for (const { item, path, mode } of listTriggers(document))
      if (item.event !== undefined && mode !== undefined && hasEvent(mode, item.event) === false)
        yield createFinding(
          [...path, 'event'],
          `${quoteValue(item.event)} is not an event of ${mode}`,
          didYouMean(item.event, listModeEvents(mode)),
        );
  },
  'V-036': function* (document) {
    for (const { item, path } of listTriggers(document)) {
      if (item.after === undefined) continue;
      const duration = parseDuration(item.after);
      if (typeof duration !== 'number') yield createFinding([...path, 'after'], duration.message, duration.hint);
    }
  },
  'V-040': function* (document) {
    for (const { item, path } of listTriggers(document))
      if (item.event === undefined && item.after === undefined)
        yield createFinding(
          path,
          'trigger has neither `event` nor `after`, so the phase can never end',
          'leave `trigger` out to make the phase terminal',
        );
  },
  'O-005': function* (document) {
    for (const { item, path } of listTriggers(document))
      if (item.count !== undefined && item.count < 1)
        yield createFinding([...path, 'count'], `count is ${item.count}; it takes at least one event`);
  },
  'V-037': function* (document) {
    for (const { item, path } of listExtractors(document))
      if (item.name !== undefined && !nameShape.test(item.name))
        yield createFinding(
          [...path, 'name'],
          `${quoteValue(item.name)} is not an extractor name`,
          'lower-case letters, digits and underscores, beginning with a letter',
        );
  },
  'V-038': function* (document) {
    for (const { phase, path } of listPhasePlaces(document))
      if (phase.extractors?.length === 0)
        yield createFinding([...path, 'extractors'], '`extractors` is empty; leave it out');
  },
  'V-015': function* (document) {
    for (const { item, path } of listExtractors(document)) {
      if (item.type !== 'json_path' || item.selector === undefined) continue;
      const compiled = compileJsonPath(item.selector);
      if (isCompileFailure(compiled)) yield createFinding([...path, 'selector'], `not a JSONPath: ${compiled.failure}`);
    }
  },
  'V-042': function* (document) {
    for (const { item, path } of listExtractors(document)) {
      if (item.type !== 'regex' || item.selector === undefined) continue;
      const compiled = compileRegex(item.selector);
      if (!isCompileFailure(compiled) && compiled.groupCount === 0)
        yield createFinding(
          [...path, 'selector'],
          'a regex extractor takes its first capture group, and there is none',
        );
    }
  },
  'V-043': function* (document) {
    for (const { phase, path } of listPhasePlaces(document))
      if (phase.onEnter?.length === 0) yield createFinding([...path, 'on_enter'], '`on_enter` is empty; leave it out');
  },
  'V-041': function* (document) {
    for (const { phase, path } of listPhasePlaces(document))
      for (const [index, action] of (phase.onEnter ?? []).entries()) {
        const keys = [
          ...(action.send === undefined ? [] : ['send']),
          ...(action.log === undefined ? [] : ['log']),
          ...Object.keys(action.binding ?? {}),
        ];
        if (keys.length !== 1)
          yield createFinding(
            [...path, 'on_enter', index],
            keys.length === 0
              ? 'action does nothing: it has no key but extensions'
              : `action has ${keys.length} keys (${keys.slice(0, 5).join(', ')}); write one action for each`,
          );
      }
  },
  'O-002': function* (document) {
    for (const { phase, path } of listPhasePlaces(document))
      for (const [index, action] of (phase.onEnter ?? []).entries()) {
        const here = [...path, 'on_enter', index];
        if (action.send !== undefined && action.send.method === undefined)
          yield createFinding([...here, 'send', 'method'], '`send` needs a `method`');
        if (action.log !== undefined && action.log.message === undefined)
          yield createFinding([...here, 'log', 'message'], '`log` needs a `message`');
      }
  },
} satisfies RuleTable;
