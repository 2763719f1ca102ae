import { isCompileFailure } from '../expression/evaluation-limits.ts';
import { parseCel } from '../expression/parse-cel.ts';
import { patterns, shorthandOperators } from '../registry/fields.ts';
import { getProtocol, isClientMode } from '../registry/known-modes.ts';
import { hasOperation, listProtocolOperations } from '../registry/protocol-operations.ts';
import { knownProtocols } from '../registry/protocols.ts';
import { didYouMean } from '../registry/suggestions.ts';
import { listActorPlaces, listIndicators } from './document-parts.ts';
import { createFinding, createProtocolReference, quoteValue, type RuleTable } from './rule-finding.ts';

const wildcardPath = new RegExp(patterns.wildcardPath);
const simplePath = new RegExp(patterns.simplePath);
const celIdentifier = new RegExp(patterns.celIdentifier);
const protocolShape = new RegExp(patterns.name);

const methods = ['pattern', 'expression', 'semantic'] as const;

export const indicatorRules = {
  'V-006': function* ({ attack }) {
    if (attack?.indicators?.length === 0)
      yield createFinding(
        ['attack', 'indicators'],
        '`indicators` is empty; leave it out for a document that is only run',
      );
  },
  'V-010': function* (document) {
    const seen = new Set<string>();
    for (const { item, path } of listIndicators(document)) {
      if (item.id === undefined) continue;
      if (seen.has(item.id))
        yield createFinding([...path, 'id'], `another indicator has the id ${quoteValue(item.id)} already`);
      seen.add(item.id);
    }
  },
  'V-012': function* (document) {
    for (const { item, path } of listIndicators(document)) {
      const given = methods.filter((method) => item[method] !== undefined);
      if (given.length !== 1)
        yield createFinding(
          path,
          given.length === 0
            ? 'indicator has none of `pattern`, `expression` and `semantic`'
            : `indicator has ${given.map((method) => `\`${method}\``).join(' and ')}; it must have exactly one`,
        );
    }
  },
  'O-004': function* (document) {
    for (const { item, path } of listIndicators(document)) {
      const { pattern } = item;
      if (pattern === undefined) continue;
      const operators = shorthandOperators.filter((operator) => pattern[operator] !== undefined);
      const forms = operators.length + (pattern.condition === undefined ? 0 : 1);
      if (forms === 1) continue;
      yield createFinding(
        [...path, 'pattern'],
        forms === 0
          ? 'pattern has no condition'
          : `pattern has ${forms} conditions; it must have \`condition\` or one operator`,
        forms === 0 ? undefined : 'several operators go into one `condition`',
      );
    }
  },
  'V-014': function* (document) {
    for (const { item, path } of listIndicators(document)) {
      const cel = item.expression?.cel;
      if (cel === undefined) continue;
      const parsed = parseCel(cel);
      if (!isCompileFailure(parsed)) continue;
      const { failure, within } = parsed;
      const finding = createFinding([...path, 'expression', 'cel'], `CEL does not parse: ${failure}`);
      yield within === undefined ? finding : { ...finding, within };
    }
  },
  'V-018': function* (document) {
    for (const { item, path, protocol } of listIndicators(document))
      if (item.surface !== undefined && protocol !== undefined && hasOperation(protocol, item.surface) === false)
        yield createFinding(
          [...path, 'surface'],
          `${quoteValue(item.surface)} is not an operation of ${protocol}`,
          didYouMean(item.surface, listProtocolOperations(protocol)),
        );
  },
  'V-021': function* (document) {
    for (const { item, path } of listIndicators(document)) {
      const targets = [
        [item.target, ['target']],
        [item.pattern?.target, ['pattern', 'target']],
        [item.semantic?.target, ['semantic', 'target']],
      ] as const;
      for (const [target, place] of targets)
        if (target !== undefined && !wildcardPath.test(target))
          yield createFinding(
            [...path, ...place],
            `${quoteValue(target)} is not a wildcard dot-path`,
            /\[\d+\]/.test(target) ? 'indices are not supported; use [*], or CEL' : undefined,
          );
    }
  },
  'V-022': function* (document) {
    for (const { item, path } of listIndicators(document)) {
      const threshold = item.semantic?.threshold;
      if (threshold !== undefined && !(threshold >= 0 && threshold <= 1))
        yield createFinding([...path, 'semantic', 'threshold'], `${threshold} is not from 0 to 1`);
    }
  },
  'O-003': function* (document) {
    for (const { item, path } of listIndicators(document)) {
      const examples = item.semantic?.examples;
      if (examples !== undefined && examples.positive === undefined && examples.negative === undefined)
        yield createFinding([...path, 'semantic', 'examples'], '`examples` has neither `positive` nor `negative` ones');
    }
  },
  'V-024': function* (document) {
    const attackId = document.attack?.id;
    if (attackId === undefined) return;
    for (const { item, path } of listIndicators(document)) {
      if (item.id === undefined) continue;
      const suffix = item.id.startsWith(`${attackId}-`) ? item.id.slice(attackId.length + 1) : '';
      if (!/^[0-9]{2,}$/.test(suffix))
        yield createFinding([...path, 'id'], `${quoteValue(item.id)} is not ${attackId}-NN`, `such as ${attackId}-01`);
    }
  },
  'V-025': function* (document) {
    for (const { item, path } of listIndicators(document))
      if (item.confidence !== undefined && !(item.confidence >= 0 && item.confidence <= 100))
        yield createFinding([...path, 'confidence'], `${item.confidence} is not from 0 to 100`);
  },
  'V-026': function* (document) {
    for (const { item, path } of listIndicators(document))
      for (const [name, target] of Object.entries(item.expression?.variables ?? {}))
        if (typeof target === 'string' && !simplePath.test(target))
          yield createFinding(
            [...path, 'expression', 'variables', name],
            `${quoteValue(target)} is not a simple dot-path`,
          );
  },
  'V-039': function* (document) {
    for (const { item, path } of listIndicators(document))
      for (const name of Object.keys(item.expression?.variables ?? {}))
        if (!celIdentifier.test(name))
          yield createFinding(
            [...path, 'expression', 'variables', name],
            `${quoteValue(name)} is not a CEL identifier`,
          );
  },
  'V-048': function* (document) {
    const names = listActorPlaces(document).flatMap(({ name }) => name ?? []);
    for (const { item, path } of listIndicators(document)) {
      if (item.actor === undefined || names.includes(item.actor)) continue;
      yield createFinding(
        [...path, 'actor'],
        `no actor is named ${quoteValue(item.actor)}; ${names.length === 0 ? 'no actor of this document has a name' : `this document has ${names.map(quoteValue).join(', ')}`}`,
        didYouMean(item.actor, names),
      );
    }
  },
  'V-049': function* (document) {
    for (const { item, path } of listIndicators(document))
      if (item.method !== undefined && item[item.method] === undefined)
        yield createFinding([...path, 'method'], `method is ${item.method}, but there is no \`${item.method}\` block`);
  },
  'O-011': function* (document) {
    for (const { item, path, protocol } of listIndicators(document)) {
      const { direction, actor } = item;
      if (direction === undefined) continue;
      const modes = listActorPlaces(document).flatMap(({ name, mode }) =>
        mode === undefined || getProtocol(mode) !== protocol || (actor !== undefined && actor !== name) ? [] : mode,
      );
      const isOurs = (mode: string): boolean => isClientMode(mode) === (direction === 'request');
      if (modes.length > 0 && modes.every(isOurs))
        yield createFinding(
          [...path, 'direction'],
          `on ${modes.join(' and ')} a ${direction} is what the attack itself sends, so a match is not an act of the agent`,
          `${direction === 'request' ? 'response' : 'request'}, or none, is what the agent sends`,
        );
    }
  },
  'W-003': function* (document) {
    for (const { item, path } of listIndicators(document)) {
      const { protocol } = item;
      if (protocol === undefined || !protocolShape.test(protocol) || knownProtocols().includes(protocol)) continue;
      const message = `no included binding defines the protocol ${quoteValue(protocol)}`;
      const hint = didYouMean(protocol, knownProtocols());
      yield { ...createFinding([...path, 'protocol'], message, hint), reference: createProtocolReference(protocol) };
    }
  },
  'W-005': function* (document) {
    const modes = listActorPlaces(document).map(({ mode }) => mode);
    // An actor without a mode is an error already, and may have any protocol.
    if (modes.includes(undefined)) return;
    const protocols = new Set(modes.map((mode = '') => getProtocol(mode)));
    for (const { path, protocol } of listIndicators(document)) {
      if (protocol === undefined || protocols.has(protocol)) continue;
      const message = `no actor speaks ${quoteValue(protocol)}, so this indicator sees no messages`;
      yield { ...createFinding([...path, 'protocol'], message), reference: createProtocolReference(protocol) };
    }
  },
  'W-007': function* (document) {
    for (const { item, path } of listIndicators(document))
      if (item.semantic !== undefined)
        yield createFinding([...path, 'semantic'], 'a semantic indicator is skipped unless an evaluator is configured');
  },
} satisfies RuleTable;
