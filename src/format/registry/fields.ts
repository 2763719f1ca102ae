import type { EnumerationName, FieldTable, FieldType, TableField, TypeName, TypeRow } from './field-table.ts';

// One table that says how every type of SDK spec §2 is written. Decoding, encoding, the order of keys and the JSON Schema
// all read it. Rows are in the order of the specification.

const string = { kind: 'string' } as const;
const number = { kind: 'number' } as const;
const value = { kind: 'value' } as const;
const condition = { kind: 'condition' } as const;
const matching = (pattern: string) => ({ kind: 'string', pattern }) as const;
const between = (kind: 'integer' | 'number', minimum: number, maximum: number) => ({
  kind,
  minimum,
  maximum,
});
const atLeast = (minimum: number) => ({ kind: 'integer', minimum }) as const;
const oneOf = (of: EnumerationName) => ({ kind: 'enumeration', of }) as const;
const object = (of: TypeName) => ({ kind: 'object', of }) as const;
const list = (of: FieldType, minimum?: 1) =>
  minimum === undefined ? ({ kind: 'list', of } as const) : ({ kind: 'list', of, minimum } as const);
const map = (of: FieldType) => ({ kind: 'map', of }) as const;

/** The key of `attack` that holds the marks: the values that are the attack. */
export const payloadKey = 'x-payload';

/** The key of `attack` that holds the checks of the user's task. */
export const taskKey = 'x-task';

/** The key by which a phase says what it waits for. */
export const awaitKey = 'x-await';

/** The key of an indicator that makes its pattern match behind disguises too. */
export const decodeKey = 'x-decode';

export const patterns = {
  attackId: '^[A-Z][A-Z0-9-]*-[0-9]{3,}$',
  name: '^[a-z][a-z0-9_]*$',
  mode: '^[a-z][a-z0-9_]*_(server|client)$',
  simplePath: '^([A-Za-z0-9_-]+(\\.[A-Za-z0-9_-]+)*)?$',
  wildcardPath: '^([A-Za-z0-9_-]+(\\[\\*\\])?(\\.[A-Za-z0-9_-]+(\\[\\*\\])?)*)?$',
  celIdentifier: '^[_a-zA-Z][_a-zA-Z0-9]*$',
  jsonPointer: '^(/([^~/]|~[01])*)*$',
  duration:
    '^([0-9]+[smhd]|P([0-9]+D)(T(?=[0-9])([0-9]+H)?([0-9]+M)?([0-9]+S)?)?|PT(?=[0-9])([0-9]+H)?([0-9]+M)?([0-9]+S)?)$',
} as const;

const operators = {
  contains: { type: string },
  starts_with: { type: string },
  ends_with: { type: string },
  regex: { type: string },
  any_of: { type: list(value, 1) },
  gt: { type: number },
  lt: { type: number },
  gte: { type: number },
  lte: { type: number },
} as const;

const mode = matching(patterns.mode);
const wildcardPath = matching(patterns.wildcardPath);
const duration = matching(patterns.duration);

const table: FieldTable = {
  Document: {
    fields: {
      oatf: { type: string, required: true, absenceRule: 'V-001', typeRule: 'V-001' },
      schema: { type: string, key: '$schema' },
      attack: { type: object('Attack'), required: true, absenceRule: 'V-003', typeRule: 'V-003' },
    },
  },
  Attack: {
    extensible: true,
    fields: {
      id: { type: matching(patterns.attackId) },
      name: { type: string, default: 'Untitled' },
      version: { type: atLeast(1), default: 1 },
      status: { type: oneOf('Status'), default: 'draft' },
      created: { type: string },
      modified: { type: string },
      author: { type: string },
      description: { type: string },
      gracePeriod: { type: duration },
      severity: { type: { kind: 'shorthand', scalar: 'SeverityLevel', object: 'Severity' } },
      impact: { type: { kind: 'list', of: oneOf('Impact'), unique: true } },
      classification: { type: object('Classification') },
      references: { type: list(object('Reference')) },
      execution: { type: object('Execution'), required: true, absenceRule: 'V-004' },
      indicators: { type: list(object('Indicator'), 1) },
      correlation: { type: object('Correlation') },
    },
    ownExtensions: {
      [payloadKey]: { type: list(object('Mark'), 1) },
      [taskKey]: { type: list(object('Indicator'), 1) },
    },
  },
  Correlation: {
    fields: {
      logic: { type: oneOf('CorrelationLogic'), default: 'any' },
    },
  },
  Severity: {
    fields: {
      level: { type: oneOf('SeverityLevel'), required: true },
      confidence: { type: between('integer', 0, 100), default: 50 },
    },
  },
  Classification: {
    fields: {
      category: { type: oneOf('Category') },
      mappings: { type: list(object('FrameworkMapping')) },
      tags: { type: list(string) },
    },
  },
  FrameworkMapping: {
    fields: {
      framework: { type: string, required: true },
      id: { type: string, required: true },
      name: { type: string },
      url: { type: string },
      relationship: { type: oneOf('Relationship'), default: 'primary' },
    },
  },
  Reference: {
    fields: {
      url: { type: string, required: true },
      title: { type: string },
      description: { type: string },
    },
  },
  Execution: {
    extensible: true,
    fields: {
      mode: { type: mode },
      state: { type: { kind: 'state' } },
      phases: { type: list(object('Phase'), 1) },
      actors: { type: list(object('Actor'), 1) },
    },
  },
  Actor: {
    extensible: true,
    fields: {
      name: { type: matching(patterns.name), required: true, absenceRule: 'V-031' },
      mode: { type: mode, required: true, absenceRule: 'V-031' },
      phases: { type: list(object('Phase'), 1), required: true, absenceRule: 'V-031' },
    },
  },
  Phase: {
    extensible: true,
    fields: {
      name: { type: string },
      description: { type: string },
      mode: { type: mode },
      state: { type: { kind: 'state' } },
      extractors: { type: list(object('Extractor'), 1) },
      onEnter: { type: list(object('Action'), 1) },
      trigger: { type: object('Trigger') },
    },
    ownExtensions: {
      [awaitKey]: { type: list(object('Await'), 1) },
    },
  },
  Action: {
    extensible: true,
    otherKeys: 'binding',
    fields: {
      send: { type: object('SendAction') },
      log: { type: object('LogAction') },
    },
  },
  SendAction: {
    fields: {
      method: { type: string },
      params: { type: value },
    },
  },
  LogAction: {
    fields: {
      message: { type: string },
      level: { type: oneOf('LogLevel') },
    },
  },
  Trigger: {
    fields: {
      event: { type: string },
      count: { type: atLeast(1), default: 1 },
      match: { type: map(condition) },
      after: { type: duration },
    },
  },
  Extractor: {
    fields: {
      name: { type: matching(patterns.name), required: true },
      source: { type: oneOf('ExtractorSource'), required: true },
      type: { type: oneOf('ExtractorType'), required: true },
      selector: { type: string, required: true },
    },
  },
  MatchCondition: {
    fields: {
      ...operators,
      exists: { type: { kind: 'boolean' } },
    },
  },
  Indicator: {
    extensible: true,
    fields: {
      id: { type: string },
      protocol: { type: matching(patterns.name) },
      surface: { type: string },
      target: { type: wildcardPath, required: true },
      actor: { type: string },
      direction: { type: oneOf('Direction') },
      method: { type: oneOf('IndicatorMethod') },
      description: { type: string },
      pattern: { type: object('PatternMatch') },
      expression: { type: object('ExpressionMatch') },
      semantic: { type: object('SemanticMatch') },
      confidence: { type: between('integer', 0, 100) },
      tier: { type: oneOf('Tier') },
      severity: { type: oneOf('SeverityLevel') },
      falsePositives: { type: list(string) },
    },
    ownExtensions: {
      [decodeKey]: { type: { kind: 'boolean' } },
    },
  },
  PatternMatch: {
    fields: {
      target: { type: wildcardPath },
      condition: { type: condition },
      ...operators,
    },
  },
  ExpressionMatch: {
    fields: {
      cel: { type: string, required: true },
      variables: { type: map(matching(patterns.simplePath)) },
    },
  },
  SemanticMatch: {
    fields: {
      target: { type: wildcardPath },
      intent: { type: string, required: true },
      intentClass: { type: oneOf('SemanticIntentClass') },
      threshold: { type: between('number', 0, 1) },
      examples: { type: object('SemanticExamples') },
    },
  },
  SemanticExamples: {
    fields: {
      positive: { type: list(string) },
      negative: { type: list(string) },
    },
  },
  Mark: {
    fields: {
      actor: { type: string },
      phase: { type: string },
      at: { type: matching(patterns.jsonPointer), required: true },
      benign: { type: value },
      needed: { type: { kind: 'boolean' }, default: true },
      why: { type: string },
    },
  },
  Await: {
    fields: {
      actor: { type: string },
      extractors: { type: list(string, 1), required: true },
      within: { type: duration, default: '30s' },
    },
  },
  // The types below are output only: a document never contains them.
  IndicatorVerdict: {
    fields: {
      indicatorId: { type: string, required: true },
      result: { type: string, required: true },
      timestamp: { type: string },
      evidence: { type: string },
      match: { type: object('Match') },
      error: { type: value },
      looked: { type: object('Looked') },
      source: { type: string },
    },
  },
  Match: {
    fields: {
      record: { type: number },
      path: { type: string, required: true },
      from: { type: number, required: true },
      to: { type: number, required: true },
      projection: { type: string },
      own: { type: { kind: 'boolean' } },
    },
  },
  Looked: {
    fields: {
      messages: { type: number, required: true },
      withTarget: { type: number },
      suggestion: { type: string },
      nearest: { type: object('NearMiss') },
      sentence: { type: string, required: true },
    },
  },
  NearMiss: {
    fields: {
      record: { type: number, required: true },
      path: { type: string, required: true },
      value: { type: string, required: true },
      reason: { type: string, required: true },
    },
  },
  EvaluationSummary: {
    fields: {
      matched: { type: number, required: true },
      notMatched: { type: number, required: true },
      error: { type: number, required: true },
      skipped: { type: number, required: true },
    },
  },
  AttackVerdict: {
    fields: {
      attackId: { type: string },
      result: { type: string, required: true },
      maxTier: { type: string },
      indicatorVerdicts: { type: list(object('IndicatorVerdict')), required: true },
      evaluationSummary: { type: object('EvaluationSummary'), required: true },
      timestamp: { type: string },
      source: { type: string },
      message: { type: string },
    },
  },
};

export const types: { readonly [T in TypeName]: TypeRow } = table;

/** The document's spelling of a model field: `gracePeriod` → `grace_period`. */
export function toDocumentKey(name: string, field: TableField): string {
  return field.key ?? name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** The operators that may be direct keys of a pattern (N-005). `exists` may not. */
export const shorthandOperators = Object.keys(operators) as readonly (keyof typeof operators)[];

/** The keys that make an object a `MatchCondition`. Any other object is a value to compare with. */
export const matchOperators = [...shorthandOperators, 'exists'] as const;

export type MatchOperator = (typeof matchOperators)[number];
