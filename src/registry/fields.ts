import { awaitKey, type WrittenAwait } from '../model/awaits.ts';
import type * as model from '../model/document.ts';
import type * as marks from '../model/marks.ts';
import type * as verdict from '../model/verdict.ts';
import type { EnumerationName } from './enumerations.ts';

// One table says how every type of seed 004 §2 is written: decode, encode, the order of keys and the JSON
// Schema all read it. Rows stand in the order that the seed lists the fields.

/** The types of the format, by their names in the specification. */
export interface ModelTypes {
  Document: model.Document;
  Attack: model.Attack;
  Correlation: model.Correlation;
  Severity: model.Severity;
  Classification: model.Classification;
  FrameworkMapping: model.FrameworkMapping;
  Reference: model.Reference;
  Execution: model.Execution;
  Actor: model.Actor;
  Phase: model.Phase;
  Action: model.Action;
  SendAction: model.SendAction;
  LogAction: model.LogAction;
  Trigger: model.Trigger;
  Extractor: model.Extractor;
  MatchCondition: model.MatchCondition;
  Indicator: model.Indicator;
  PatternMatch: model.PatternMatch;
  ExpressionMatch: model.ExpressionMatch;
  SemanticMatch: model.SemanticMatch;
  SemanticExamples: model.SemanticExamples;
  Mark: marks.WrittenMark;
  Await: WrittenAwait;
  IndicatorVerdict: verdict.IndicatorVerdict;
  Match: verdict.Match;
  Looked: verdict.Looked;
  NearMiss: verdict.NearMiss;
  EvaluationSummary: verdict.EvaluationSummary;
  AttackVerdict: verdict.AttackVerdict;
}

/** The name of a type of the format. */
export type TypeName = keyof ModelTypes;

export type FieldType =
  | { readonly kind: 'string'; readonly pattern?: string }
  | { readonly kind: 'integer' | 'number'; readonly minimum?: number; readonly maximum?: number }
  | { readonly kind: 'boolean' }
  /** Pass-through: kept as it is, null included. */
  | { readonly kind: 'value' }
  /** Pass-through that must be a mapping to be legal (checked by a rule); null means absent. */
  | { readonly kind: 'state' }
  /** A bare value, or a MatchCondition when any operator key is there; null is a value. */
  | { readonly kind: 'condition' }
  | { readonly kind: 'enumeration'; readonly of: EnumerationName }
  | { readonly kind: 'object'; readonly of: TypeName }
  | { readonly kind: 'list'; readonly of: FieldType; readonly minimum?: number; readonly unique?: true }
  | { readonly kind: 'map'; readonly of: FieldType }
  /** A scalar of the enumeration, or the object. */
  | { readonly kind: 'shorthand'; readonly scalar: EnumerationName; readonly object: TypeName };

export interface Field {
  readonly type: FieldType;
  /** What the JSON Schema says of it. */
  readonly description?: string;
  readonly required?: true;
  /** The V rule that an absent field also breaks. */
  readonly absenceRule?: string;
  /** The V rule that a value of the wrong type also breaks. */
  readonly typeRule?: string;
  readonly default?: string | number | boolean;
  /** The document's spelling, where it is not the snake_case of the model's name. */
  readonly key?: string;
}

export interface TypeRow {
  /** `x-` fields are allowed and kept in `extensions`. */
  readonly extensible?: true;
  /** `x-` fields that this tool reads. They are extensions to everybody, so `parse` does not check them. */
  readonly ownExtensions?: { readonly [key: string]: Field };
  /** Keys that no row names are kept, as they are, in this field. */
  readonly otherKeys?: string;
  readonly fields: { readonly [name: string]: Field };
}

/** Model fields that no key of the document stands for. */
type Collected = 'extensions' | 'binding';

type Table = {
  readonly [T in TypeName]: Omit<TypeRow, 'fields'> & {
    readonly fields: { readonly [F in Exclude<keyof ModelTypes[T], Collected>]-?: Field };
  };
};

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

/** The key of `attack` under which a document says which of its places are the attack. */
export const payloadKey = 'x-payload';

/** The key of `attack` under which a document says how one knows that the user's task was done. */
export const taskKey = 'x-task';

/** The key of an indicator that has its pattern looked for behind disguises as well. */
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
  contains: { type: string, description: 'The value contains this text (case-sensitive).' },
  starts_with: { type: string, description: 'The value begins with this text (case-sensitive).' },
  ends_with: { type: string, description: 'The value ends with this text (case-sensitive).' },
  regex: { type: string, description: 'An RE2 expression found anywhere in the value.' },
  any_of: { type: list(value, 1), description: 'The value equals one of these.' },
  gt: { type: number, description: 'The value is a number greater than this.' },
  lt: { type: number, description: 'The value is a number less than this.' },
  gte: { type: number, description: 'The value is a number greater than or equal to this.' },
  lte: { type: number, description: 'The value is a number less than or equal to this.' },
} as const;

const mode = matching(patterns.mode);
const wildcardPath = matching(patterns.wildcardPath);
const duration = matching(patterns.duration);

const table: Table = {
  Document: {
    fields: {
      oatf: {
        type: string,
        required: true,
        absenceRule: 'V-001',
        typeRule: 'V-001',
        description: 'Version of the format, as a quoted string: "0.1".',
      },
      schema: { type: string, key: '$schema', description: 'URL of a JSON Schema, for editors.' },
      attack: {
        type: object('Attack'),
        required: true,
        absenceRule: 'V-003',
        typeRule: 'V-003',
        description: 'The attack. One per document.',
      },
    },
  },
  Attack: {
    extensible: true,
    fields: {
      id: {
        type: matching(patterns.attackId),
        description: 'Identifier such as ACME-001. OATF- is the public registry’s prefix.',
      },
      name: { type: string, default: 'Untitled', description: 'Name of the attack, for people.' },
      version: { type: atLeast(1), default: 1, description: 'Version of the document; higher is newer.' },
      status: { type: oneOf('Status'), default: 'draft', description: 'Where the document is in its life.' },
      created: {
        type: string,
        description: 'When it was first published: a date-time with zone, or a date.',
      },
      modified: { type: string, description: 'When it was last changed: a date-time with zone, or a date.' },
      author: { type: string, description: 'Person or organisation.' },
      description: { type: string, description: 'What the attack does and what makes it possible.' },
      gracePeriod: {
        type: duration,
        description: 'How long to go on observing after the last actor has finished.',
      },
      severity: {
        type: { kind: 'shorthand', scalar: 'SeverityLevel', object: 'Severity' },
        description: 'How bad it is: a level, or a level with the author’s confidence in it.',
      },
      impact: {
        type: { kind: 'list', of: oneOf('Impact'), unique: true },
        description: 'The kinds of harm it does.',
      },
      classification: {
        type: object('Classification'),
        description: 'Category, framework mappings and tags.',
      },
      references: { type: list(object('Reference')), description: 'Further reading.' },
      execution: {
        type: object('Execution'),
        required: true,
        absenceRule: 'V-004',
        description: 'What the adversarial tool does on the wire.',
      },
      indicators: {
        type: list(object('Indicator'), 1),
        description: 'Signs that the agent complied. Without any, the document can be run but not judged.',
      },
      correlation: {
        type: object('Correlation'),
        description: 'How indicators combine; only beside `indicators`.',
      },
    },
    ownExtensions: {
      [payloadKey]: {
        type: list(object('Mark'), 1),
        description: 'Marks: which places of the document are the attack, and what a benign twin has there.',
      },
      [taskKey]: {
        type: list(object('Indicator'), 1),
        description: 'Checks, written like indicators: the user’s task was done when all of them match.',
      },
    },
  },
  Correlation: {
    fields: {
      logic: {
        type: oneOf('CorrelationLogic'),
        default: 'any',
        description: 'any: one match is enough. all: every indicator must match.',
      },
    },
  },
  Severity: {
    fields: {
      level: { type: oneOf('SeverityLevel'), required: true, description: 'Severity level.' },
      confidence: {
        type: between('integer', 0, 100),
        default: 50,
        description: 'The author’s confidence in the level, 0 to 100.',
      },
    },
  },
  Classification: {
    fields: {
      category: { type: oneOf('Category'), description: 'What kind of attack it is, whatever the protocol.' },
      mappings: { type: list(object('FrameworkMapping')), description: 'Entries of security frameworks.' },
      tags: { type: list(string), description: 'Free tags: lower case, words joined by hyphens.' },
    },
  },
  FrameworkMapping: {
    fields: {
      framework: {
        type: string,
        required: true,
        description: 'atlas, mitre_attack, owasp_llm, owasp_mcp, owasp_agentic, cwe, or any other name.',
      },
      id: { type: string, required: true, description: 'Identifier of the entry in that framework.' },
      name: { type: string, description: 'Name of the entry.' },
      url: { type: string, description: 'Where the entry can be read.' },
      relationship: {
        type: oneOf('Relationship'),
        default: 'primary',
        description: 'primary: the attack is an instance of the entry. related: it has to do with it.',
      },
    },
  },
  Reference: {
    fields: {
      url: { type: string, required: true, description: 'Address.' },
      title: { type: string, description: 'Title.' },
      description: { type: string, description: 'What it has to do with the attack.' },
    },
  },
  Execution: {
    extensible: true,
    fields: {
      mode: { type: mode, description: 'Attacker posture, {protocol}_{role}; needed beside `state`.' },
      state: { type: { kind: 'state' }, description: 'Single-phase form: what the one phase presents.' },
      phases: { type: list(object('Phase'), 1), description: 'Multi-phase form: one actor, several stages.' },
      actors: { type: list(object('Actor'), 1), description: 'Multi-actor form: endpoints side by side.' },
    },
  },
  Actor: {
    extensible: true,
    fields: {
      name: {
        type: matching(patterns.name),
        required: true,
        absenceRule: 'V-031',
        description: 'Name, unique in the document; other actors refer to its extractors by it.',
      },
      mode: {
        type: mode,
        required: true,
        absenceRule: 'V-031',
        description: 'Attacker posture of this actor.',
      },
      phases: {
        type: list(object('Phase'), 1),
        required: true,
        absenceRule: 'V-031',
        description: 'Its phases, in order.',
      },
    },
  },
  Phase: {
    extensible: true,
    fields: {
      name: { type: string, description: 'Label, unique within the actor; phase-N when left out.' },
      description: { type: string, description: 'What this phase is for.' },
      mode: { type: mode, description: 'Attacker posture; inherited from the execution or the actor.' },
      state: {
        type: { kind: 'state' },
        description: 'What the tool presents; replaces the whole state before it, inherited when left out.',
      },
      extractors: { type: list(object('Extractor'), 1), description: 'Values to take from messages.' },
      onEnter: { type: list(object('Action'), 1), description: 'Actions on entry, before anything else.' },
      trigger: { type: object('Trigger'), description: 'What ends the phase; without one it is terminal.' },
    },
    ownExtensions: {
      [awaitKey]: {
        type: list(object('Await'), 1),
        description: 'Extractors that the phase waits for.',
      },
    },
  },
  Action: {
    extensible: true,
    otherKeys: 'binding',
    fields: {
      send: { type: object('SendAction'), description: 'Send a notification or a request.' },
      log: { type: object('LogAction'), description: 'Write a line to the log.' },
    },
  },
  SendAction: {
    fields: {
      method: { type: string, description: 'Method name of the protocol; needed.' },
      params: { type: value, description: 'Parameters, sent as written.' },
    },
  },
  LogAction: {
    fields: {
      message: { type: string, description: 'The text; templates are filled in. Needed.' },
      level: { type: oneOf('LogLevel'), description: 'Level.' },
    },
  },
  Trigger: {
    fields: {
      event: { type: string, description: 'Protocol event to wait for.' },
      count: { type: atLeast(1), default: 1, description: 'How many matching events it takes.' },
      match: { type: map(condition), description: 'What the event’s content must satisfy.' },
      after: { type: duration, description: 'Time after which the phase ends in any case.' },
    },
  },
  Extractor: {
    fields: {
      name: { type: matching(patterns.name), required: true, description: 'Name for templates.' },
      source: {
        type: oneOf('ExtractorSource'),
        required: true,
        description: 'Which message of the exchange, by its role in the protocol.',
      },
      type: { type: oneOf('ExtractorType'), required: true, description: 'How the selector is read.' },
      selector: {
        type: string,
        required: true,
        description: 'A JSONPath (RFC 9535), or an RE2 expression with a capture group.',
      },
    },
  },
  MatchCondition: {
    fields: {
      ...operators,
      exists: {
        type: { kind: 'boolean' },
        description: 'Whether the path resolves to anything, null included.',
      },
    },
  },
  Indicator: {
    extensible: true,
    fields: {
      id: { type: string, description: 'Identifier, {attack.id}-NN when the attack has one.' },
      protocol: {
        type: matching(patterns.name),
        description: 'Protocol whose messages it looks at; inherited from `execution.mode`.',
      },
      surface: { type: string, description: 'Operation it is limited to, such as tools/call.' },
      target: {
        type: wildcardPath,
        required: true,
        description: 'Dot-path into the message; `[*]` fans out, "" is the whole message.',
      },
      actor: { type: string, description: 'Actor whose connection it is limited to.' },
      direction: {
        type: oneOf('Direction'),
        description: 'Side it is limited to, seen from the actor’s role.',
      },
      method: { type: oneOf('IndicatorMethod'), description: 'Names the block that is there.' },
      description: { type: string, description: 'What a match means.' },
      pattern: { type: object('PatternMatch'), description: 'Compare the target with a condition.' },
      expression: { type: object('ExpressionMatch'), description: 'Evaluate a CEL expression.' },
      semantic: { type: object('SemanticMatch'), description: 'Judge the meaning of the target.' },
      confidence: {
        type: between('integer', 0, 100),
        description: 'Confidence in this indicator, 0 to 100.',
      },
      tier: { type: oneOf('Tier'), description: 'How far the attack got when this matches.' },
      severity: { type: oneOf('SeverityLevel'), description: 'Severity of this indicator, for reports.' },
      falsePositives: { type: list(string), description: 'Known ways to match without compliance.' },
    },
    ownExtensions: {
      [decodeKey]: { type: { kind: 'boolean' }, description: 'Look for the pattern behind disguises, too.' },
    },
  },
  PatternMatch: {
    fields: {
      target: { type: wildcardPath, description: 'Takes the place of the indicator’s target.' },
      condition: { type: condition, description: 'A value to be equal to, or operators.' },
      ...operators,
    },
  },
  ExpressionMatch: {
    fields: {
      cel: { type: string, required: true, description: 'CEL over `message` and the variables; a boolean.' },
      variables: {
        type: map(matching(patterns.simplePath)),
        description: 'Names for simple dot-paths into the message.',
      },
    },
  },
  SemanticMatch: {
    fields: {
      target: { type: wildcardPath, description: 'Takes the place of the indicator’s target.' },
      intent: { type: string, required: true, description: 'The intent to look for, in words.' },
      intentClass: { type: oneOf('SemanticIntentClass'), description: 'Hint for classifiers.' },
      threshold: {
        type: between('number', 0, 1),
        description: 'Score that counts as a match; 0.7 if left out.',
      },
      examples: { type: object('SemanticExamples'), description: 'Texts to calibrate with.' },
    },
  },
  SemanticExamples: {
    fields: {
      positive: { type: list(string), description: 'Texts that should match.' },
      negative: { type: list(string), description: 'Texts that should not.' },
    },
  },
  Mark: {
    fields: {
      actor: { type: string, description: 'Actor; may be left out where there is one.' },
      phase: {
        type: string,
        description:
          'Phase that writes the value, phase-N if it has no name; may be left out where there is one.',
      },
      at: {
        type: matching(patterns.jsonPointer),
        required: true,
        description:
          'JSON Pointer from the phase (from `execution` where the document has one phase): /state/tools/0/description.',
      },
      benign: { type: value, description: 'What stands there in the benign twin; left out, nothing does.' },
      needed: {
        type: { kind: 'boolean' },
        default: true,
        description: 'false: the agent may resist without having got it (later orders).',
      },
    },
  },
  Await: {
    fields: {
      actor: { type: string, description: 'Actor; this one if left out.' },
      extractors: { type: list(string, 1), required: true, description: 'Names.' },
      within: { type: duration, default: '30s', description: 'Time to wait.' },
    },
  },
  // What stands below is in no document: the types themselves say what it means.
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
      indicatorVerdicts: {
        type: list(object('IndicatorVerdict')),
        required: true,
      },
      evaluationSummary: { type: object('EvaluationSummary'), required: true },
      timestamp: { type: string },
      source: { type: string },
      message: { type: string },
    },
  },
};

export const types: { readonly [T in TypeName]: TypeRow } = table;

/** The document's spelling of a model field: `gracePeriod` → `grace_period`. */
export function keyOf(name: string, field: Field): string {
  return field.key ?? name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** Operators that may stand directly in a pattern (N-005); `exists` may not. */
export const shorthandOperators = Object.keys(operators) as readonly (keyof typeof operators)[];
