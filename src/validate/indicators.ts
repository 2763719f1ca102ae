import { isCompileFailure } from '../expression/limits.ts';
import { parseCel } from '../expression/parse-cel.ts';
import { observedProtocol } from '../model/observation.ts';
import { extractProtocol } from '../primitives/extract-protocol.ts';
import { patterns, shorthandOperators } from '../registry/fields.ts';
import { isClientMode, protocolOf } from '../registry/modes.ts';
import { operationsOf, protocolHasOperation } from '../registry/operations.ts';
import { knownProtocols } from '../registry/protocols.ts';
import { didYouMean } from '../registry/suggestions.ts';
import { actorsOf, indicatorsOf } from './places.ts';
import { at, type RuleTable, shown } from './rule.ts';

const wildcardPath = new RegExp(patterns.wildcardPath);
const simplePath = new RegExp(patterns.simplePath);
const celIdentifier = new RegExp(patterns.celIdentifier);
const protocolShape = new RegExp(patterns.name);

/** Whether a protocol is known. Observations of the agent are in traces under a protocol of ours. */
function isKnown(protocol: string): boolean {
  return knownProtocols().includes(protocol) || protocol === observedProtocol;
}

const methods = ['pattern', 'expression', 'semantic'] as const;

export const indicatorRules = {
  'V-006': function* ({ attack }) {
    if (attack?.indicators?.length === 0)
      yield at(
        ['attack', 'indicators'],
        '`indicators` is empty; leave it out for a document that is only run',
      );
  },
  'V-010': function* (document) {
    const seen = new Set<string>();
    for (const { item, path } of indicatorsOf(document)) {
      if (item.id === undefined) continue;
      if (seen.has(item.id))
        yield at([...path, 'id'], `another indicator has the id ${shown(item.id)} already`);
      seen.add(item.id);
    }
  },
  'V-012': function* (document) {
    for (const { item, path } of indicatorsOf(document)) {
      const given = methods.filter((method) => item[method] !== undefined);
      if (given.length !== 1)
        yield at(
          path,
          given.length === 0
            ? 'indicator has none of `pattern`, `expression` and `semantic`'
            : `indicator has ${given.map((method) => `\`${method}\``).join(' and ')}; it must have exactly one`,
        );
    }
  },
  'O-004': function* (document) {
    for (const { item, path } of indicatorsOf(document)) {
      const { pattern } = item;
      if (pattern === undefined) continue;
      const operators = shorthandOperators.filter((operator) => pattern[operator] !== undefined);
      const forms = operators.length + (pattern.condition === undefined ? 0 : 1);
      if (forms === 1) continue;
      yield at(
        [...path, 'pattern'],
        forms === 0
          ? 'pattern has no condition'
          : `pattern has ${forms} conditions; it must have \`condition\` or one operator`,
        forms === 0 ? undefined : 'several operators go into one `condition`',
      );
    }
  },
  'V-014': function* (document) {
    for (const { item, path } of indicatorsOf(document)) {
      const cel = item.expression?.cel;
      if (cel === undefined) continue;
      const parsed = parseCel(cel);
      if (!isCompileFailure(parsed)) continue;
      const { failure, within } = parsed;
      const finding = at([...path, 'expression', 'cel'], `CEL does not parse: ${failure}`);
      yield within === undefined ? finding : { ...finding, within };
    }
  },
  'V-018': function* (document) {
    for (const { item, path, protocol } of indicatorsOf(document))
      if (
        item.surface !== undefined &&
        protocol !== undefined &&
        protocolHasOperation(protocol, item.surface) === false
      )
        yield at(
          [...path, 'surface'],
          `${shown(item.surface)} is not an operation of ${protocol}`,
          didYouMean(item.surface, operationsOf(protocol)),
        );
  },
  'V-021': function* (document) {
    for (const { item, path } of indicatorsOf(document)) {
      const targets = [
        [item.target, ['target']],
        [item.pattern?.target, ['pattern', 'target']],
        [item.semantic?.target, ['semantic', 'target']],
      ] as const;
      for (const [target, place] of targets)
        if (target !== undefined && !wildcardPath.test(target))
          yield at(
            [...path, ...place],
            `${shown(target)} is not a wildcard dot-path`,
            /\[\d+\]/.test(target) ? 'indices are not supported; use [*], or CEL' : undefined,
          );
    }
  },
  'V-022': function* (document) {
    for (const { item, path } of indicatorsOf(document)) {
      const threshold = item.semantic?.threshold;
      if (threshold !== undefined && !(threshold >= 0 && threshold <= 1))
        yield at([...path, 'semantic', 'threshold'], `${threshold} is not from 0 to 1`);
    }
  },
  'O-003': function* (document) {
    for (const { item, path } of indicatorsOf(document)) {
      const examples = item.semantic?.examples;
      if (examples !== undefined && examples.positive === undefined && examples.negative === undefined)
        yield at([...path, 'semantic', 'examples'], '`examples` has neither `positive` nor `negative` ones');
    }
  },
  'V-024': function* (document) {
    const attackId = document.attack?.id;
    if (attackId === undefined) return;
    for (const { item, path } of indicatorsOf(document)) {
      if (item.id === undefined) continue;
      const suffix = item.id.startsWith(`${attackId}-`) ? item.id.slice(attackId.length + 1) : '';
      if (!/^[0-9]{2,}$/.test(suffix))
        yield at([...path, 'id'], `${shown(item.id)} is not ${attackId}-NN`, `such as ${attackId}-01`);
    }
  },
  'V-025': function* (document) {
    for (const { item, path } of indicatorsOf(document))
      if (item.confidence !== undefined && !(item.confidence >= 0 && item.confidence <= 100))
        yield at([...path, 'confidence'], `${item.confidence} is not from 0 to 100`);
  },
  'V-026': function* (document) {
    for (const { item, path } of indicatorsOf(document))
      for (const [name, target] of Object.entries(item.expression?.variables ?? {}))
        if (typeof target === 'string' && !simplePath.test(target))
          yield at([...path, 'expression', 'variables', name], `${shown(target)} is not a simple dot-path`);
  },
  'V-039': function* (document) {
    for (const { item, path } of indicatorsOf(document))
      for (const name of Object.keys(item.expression?.variables ?? {}))
        if (!celIdentifier.test(name))
          yield at([...path, 'expression', 'variables', name], `${shown(name)} is not a CEL identifier`);
  },
  'V-048': function* (document) {
    const names = actorsOf(document).flatMap(({ name }) => name ?? []);
    for (const { item, path } of indicatorsOf(document)) {
      if (item.actor === undefined || names.includes(item.actor)) continue;
      yield at(
        [...path, 'actor'],
        `no actor is named ${shown(item.actor)}; this document has ${names.map(shown).join(', ')}`,
        didYouMean(item.actor, names),
      );
    }
  },
  'V-049': function* (document) {
    for (const { item, path } of indicatorsOf(document))
      if (item.method !== undefined && item[item.method] === undefined)
        yield at([...path, 'method'], `method is ${item.method}, but there is no \`${item.method}\` block`);
  },
  'O-011': function* (document) {
    for (const { item, path, protocol } of indicatorsOf(document)) {
      const { direction, actor } = item;
      if (direction === undefined) continue;
      const modes = actorsOf(document).flatMap(({ name, mode }) =>
        mode === undefined || protocolOf(mode) !== protocol || (actor !== undefined && actor !== name)
          ? []
          : mode,
      );
      const isOurs = (mode: string): boolean => isClientMode(mode) === (direction === 'request');
      if (modes.length > 0 && modes.every(isOurs))
        yield at(
          [...path, 'direction'],
          `on ${modes.join(' and ')} a ${direction} is what the attack itself sends, so a match is not an act of the agent`,
          `${direction === 'request' ? 'response' : 'request'}, or none, is what the agent sends`,
        );
    }
  },
  'W-003': function* (document) {
    for (const { item, path } of indicatorsOf(document)) {
      const { protocol } = item;
      if (protocol === undefined || !protocolShape.test(protocol) || isKnown(protocol)) continue;
      yield at(
        [...path, 'protocol'],
        `no included binding defines the protocol ${shown(protocol)}`,
        didYouMean(protocol, knownProtocols()),
      );
    }
  },
  'W-005': function* (document) {
    const protocols = new Set(
      actorsOf(document).flatMap(({ mode }) => (mode === undefined ? [] : extractProtocol(mode))),
    );
    for (const { path, protocol } of indicatorsOf(document))
      if (
        protocol !== undefined &&
        protocol !== observedProtocol &&
        protocols.size > 0 &&
        !protocols.has(protocol)
      )
        yield at(
          [...path, 'protocol'],
          `no actor speaks ${shown(protocol)}, so this indicator sees no messages`,
        );
  },
  'W-007': function* (document) {
    for (const { item, path } of indicatorsOf(document))
      if (item.semantic !== undefined)
        yield at([...path, 'semantic'], 'a semantic indicator is skipped unless an evaluator is configured');
  },
} satisfies RuleTable;
