import type {
  Attack,
  Classification,
  Correlation,
  Document,
  Execution,
  Indicator,
  PatternMatch,
  Phase,
  Severity,
  Trigger,
} from '../model/attack-document.ts';
import type { SeverityLevel } from '../model/enumeration-types.ts';
import { nameIndicator, namePhase } from '../model/generated-names.ts';
import type {
  NormalizedActor,
  NormalizedAttack,
  NormalizedClassification,
  NormalizedDocument,
  NormalizedExecution,
  NormalizedIndicator,
  NormalizedPattern,
  NormalizedPhase,
} from '../model/normalized.ts';
import { shorthandOperators } from '../registry/fields.ts';
import { getProtocol } from '../registry/known-modes.ts';

/**
 * Converts a document to the multi-actor form with all defaults filled in (SDK spec §3.3). The input is not changed, and
 * normalizing twice changes nothing. A document that breaks rules is normalized as far as possible.
 */
export function normalize(document: Document | NormalizedDocument): NormalizedDocument {
  return { ...document, attack: normalizeAttack((document as Document).attack) };
}

function normalizeAttack(attack: Attack): NormalizedAttack {
  const { severity, classification, execution: given, indicators, correlation, ...rest } = attack;
  const execution = normalizeExecution(given);
  // N-001, N-004: indicators inherit the protocol of `execution.mode`. Only a document that breaks V-028 has neither. For
  // such a document, the first actor's mode is the best guess.
  const protocol = getProtocol(given.mode ?? execution.actors[0]?.mode ?? '');
  return {
    ...rest,
    // N-001
    name: attack.name ?? 'Untitled',
    version: attack.version ?? 1,
    status: attack.status ?? 'draft',
    ...(severity !== undefined && { severity: normalizeSeverity(severity) }),
    ...(classification !== undefined && { classification: normalizeClassification(classification) }),
    execution,
    ...(indicators !== undefined && {
      indicators: indicators.map((indicator, index) => normalizeIndicator(indicator, index, protocol, attack.id)),
    }),
    ...normalizeCorrelation(indicators, correlation),
  };
}

function normalizeCorrelation(
  indicators: Attack['indicators'],
  correlation: Correlation | undefined,
): Pick<NormalizedAttack, 'correlation'> {
  return indicators === undefined && correlation === undefined
    ? {}
    : { correlation: { logic: correlation?.logic ?? 'any' } };
}

// N-002, N-001
function normalizeSeverity(severity: Severity | SeverityLevel): Required<Severity> {
  return typeof severity === 'string'
    ? { level: severity, confidence: 50 }
    : { level: severity.level, confidence: severity.confidence ?? 50 };
}

function normalizeClassification(classification: Classification): NormalizedClassification {
  const { mappings, tags, ...rest } = classification;
  return {
    ...rest,
    ...(mappings !== undefined && {
      mappings: mappings.map((mapping) => ({ ...mapping, relationship: mapping.relationship ?? 'primary' })),
    }),
    // N-008
    ...(tags !== undefined && { tags: tags.map((tag) => tag.toLowerCase().replace(/[_ ]/g, '-')) }),
  };
}

function normalizeExecution(execution: Execution): NormalizedExecution {
  const { extensions } = execution;
  return { actors: normalizeActors(execution), ...(extensions !== undefined && { extensions }) };
}

function normalizeActors({ mode, state, phases, actors }: Execution): readonly NormalizedActor[] {
  if (actors !== undefined)
    return actors.map((actor) => ({
      ...actor,
      phases: actor.phases.map((phase, index) => normalizePhase(phase, index, actor.mode)),
    }));
  // N-007: without `execution.mode` the actor's mode is the first phase's.
  if (phases !== undefined)
    return [createDefaultActor(mode ?? phases.find((phase) => phase.mode !== undefined)?.mode ?? '', phases)];
  // N-006
  if (state !== undefined) return [createDefaultActor(mode ?? '', [{ state }])];
  return [];
}

function createDefaultActor(mode: string, phases: readonly Phase[]): NormalizedActor {
  return { name: 'default', mode, phases: phases.map((phase, index) => normalizePhase(phase, index, mode)) };
}

// N-001
function normalizePhase(phase: Phase, index: number, mode: string): NormalizedPhase {
  const { trigger, ...rest } = phase;
  return {
    ...rest,
    name: phase.name ?? namePhase(index),
    mode: phase.mode ?? mode,
    ...(trigger !== undefined && { trigger: normalizeTrigger(trigger) }),
  };
}

function normalizeTrigger(trigger: Trigger): Trigger {
  return trigger.event === undefined ? trigger : { ...trigger, count: trigger.count ?? 1 };
}

function normalizeIndicator(
  indicator: Indicator,
  index: number,
  protocol: string,
  attackId: string | undefined,
): NormalizedIndicator {
  const { pattern, semantic, ...rest } = indicator;
  return {
    ...rest,
    // N-003
    id: indicator.id ?? nameIndicator(index, attackId),
    protocol: indicator.protocol ?? protocol,
    ...(pattern !== undefined && { pattern: normalizePattern(pattern, indicator.target) }),
    ...(semantic !== undefined && { semantic: { ...semantic, target: semantic.target ?? indicator.target } }),
  };
}

// N-004, N-005
function normalizePattern(pattern: PatternMatch, target: string): NormalizedPattern {
  const operators = shorthandOperators.filter((operator) => pattern[operator] !== undefined);
  const shorthand = Object.fromEntries(operators.map((operator) => [operator, pattern[operator]]));
  return {
    target: pattern.target ?? target,
    condition: pattern.condition === undefined ? shorthand : pattern.condition,
  };
}
