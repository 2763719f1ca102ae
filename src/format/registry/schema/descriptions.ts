import { awaitKey } from '../../registry/fields.ts';
import type { FieldName, TypeName } from '../field-table.ts';
import { decodeKey, payloadKey, taskKey } from '../fields.ts';

// The descriptions of fields in the JSON Schema. They stand apart from the field table, because programs that read documents
// need the table but not these texts.

/** The types of the format that occur in documents. */
export type DocumentType = Exclude<
  TypeName,
  'IndicatorVerdict' | 'Match' | 'Looked' | 'NearMiss' | 'EvaluationSummary' | 'AttackVerdict'
>;

type Descriptions = {
  readonly [T in DocumentType]: { readonly [F in FieldName<T>]: string } & {
    readonly [extension: `x-${string}`]: string;
  };
};

const operators = {
  contains: 'The value contains this text (case-sensitive).',
  starts_with: 'The value begins with this text (case-sensitive).',
  ends_with: 'The value ends with this text (case-sensitive).',
  regex: 'An RE2 expression found anywhere in the value.',
  any_of: 'The value equals one of these.',
  gt: 'The value is a number greater than this.',
  lt: 'The value is a number less than this.',
  gte: 'The value is a number greater than or equal to this.',
  lte: 'The value is a number less than or equal to this.',
} as const;

export const descriptions: Descriptions = {
  Document: {
    oatf: 'Version of the format, as a quoted string: "0.1".',
    schema: 'URL of a JSON Schema, for editors.',
    attack: 'The attack. One per document.',
  },
  Attack: {
    id: 'Identifier such as ACME-001. OATF- is the public registry’s prefix.',
    name: 'Name of the attack, for people.',
    version: 'Version of the document; higher is newer.',
    status: 'How mature the document is.',
    created: 'When it was first published: a date-time with zone, or a date.',
    modified: 'When it was last changed: a date-time with zone, or a date.',
    author: 'Person or organisation.',
    description: 'What the attack does and what makes it possible.',
    gracePeriod: 'How long to keep observing after the last actor has finished.',
    severity: 'How severe it is: a level, or a level with the author’s confidence in it.',
    impact: 'The kinds of harm it does.',
    classification: 'Category, framework mappings and tags.',
    references: 'Further reading.',
    execution: 'What the adversarial tool does on the wire.',
    indicators: 'Signs that the agent complied. Without any, the document can be run but not judged.',
    correlation: 'How indicators combine; only beside `indicators`.',
    [payloadKey]: 'Marks: the values that are the attack, and their replacements in the benign twin.',
    [taskKey]: 'Checks, written like indicators: the user’s task was done when all of them match.',
  },
  Correlation: {
    logic: 'any: one match is enough. all: every indicator must match.',
  },
  Severity: {
    level: 'Severity level.',
    confidence: 'The author’s confidence in the level, 0 to 100.',
  },
  Classification: {
    category: 'Kind of attack, independent of the protocol.',
    mappings: 'Entries of security frameworks.',
    tags: 'Free tags: lower case, words joined by hyphens.',
  },
  FrameworkMapping: {
    framework: 'atlas, mitre_attack, owasp_llm, owasp_mcp, owasp_agentic, cwe, or any other name.',
    id: 'Identifier of the entry in that framework.',
    name: 'Name of the entry.',
    url: 'Where the entry can be read.',
    relationship: 'primary: the attack is an instance of the entry. related: it is connected with it.',
  },
  Reference: {
    url: 'Address.',
    title: 'Title.',
    description: 'How it relates to the attack.',
  },
  Execution: {
    mode: 'Attacker posture, {protocol}_{role}; required beside `state`.',
    state: 'Single-phase form: what the one phase presents.',
    phases: 'Multi-phase form: one actor, several stages.',
    actors: 'Multi-actor form: endpoints side by side.',
  },
  Actor: {
    name: 'Name, unique in the document; other actors use it to refer to its extractors.',
    mode: 'Attacker posture of this actor.',
    phases: 'Its phases, in order.',
  },
  Phase: {
    name: 'Label, unique within the actor. Default: phase-N.',
    description: 'What this phase is for.',
    mode: 'Attacker posture. Default: that of the execution or the actor.',
    state: 'What the tool presents. It replaces the whole previous state. Default: the previous state.',
    extractors: 'Values to take from messages.',
    onEnter: 'Actions on entry, before anything else.',
    trigger: 'What ends the phase; without one it is terminal.',
    [awaitKey]: 'Extractors that the phase waits for.',
  },
  Action: {
    send: 'Send a notification or a request.',
    log: 'Write a line to the log.',
  },
  SendAction: {
    method: 'Method name of the protocol. Required.',
    params: 'Parameters, sent as written.',
  },
  LogAction: {
    message: 'The text; templates are filled in. Required.',
    level: 'Level.',
  },
  Trigger: {
    event: 'Protocol event to wait for.',
    count: 'Number of matching events that end the phase.',
    match: 'Conditions on the content of the event.',
    after: 'Time after which the phase ends in any case.',
  },
  Extractor: {
    name: 'Name for templates.',
    source: 'Which message of the exchange, by its role in the protocol.',
    type: 'How the selector is read.',
    selector: 'A JSONPath (RFC 9535), or an RE2 expression with a capture group.',
  },
  MatchCondition: {
    ...operators,
    exists: 'Whether the path resolves to anything, null included.',
  },
  Indicator: {
    id: 'Identifier: {attack.id}-NN if the attack has an id.',
    protocol: 'Protocol whose messages it looks at; inherited from `execution.mode`.',
    surface: 'Operation it is limited to, such as tools/call.',
    target: 'Dot-path into the message; `[*]` fans out, "" is the whole message.',
    actor: 'Actor whose connection it is limited to.',
    direction: 'Side it is limited to, seen from the actor’s role.',
    method: 'Name of the block that is present.',
    description: 'What a match means.',
    pattern: 'Compare the target with a condition.',
    expression: 'Evaluate a CEL expression.',
    semantic: 'Judge the meaning of the target.',
    confidence: 'Confidence in this indicator, 0 to 100.',
    tier: 'How far the attack got when this matches.',
    severity: 'Severity of this indicator, for reports.',
    falsePositives: 'Known ways to match without compliance.',
    [decodeKey]: 'Look for the pattern behind disguises too.',
  },
  PatternMatch: {
    target: 'Replaces the indicator’s target.',
    condition: 'A value to be equal to, or operators.',
    ...operators,
  },
  ExpressionMatch: {
    cel: 'CEL over `message` and the variables; a boolean.',
    variables: 'Names for simple dot-paths into the message.',
  },
  SemanticMatch: {
    target: 'Replaces the indicator’s target.',
    intent: 'The intent to look for, in words.',
    intentClass: 'Hint for classifiers.',
    threshold: 'Lowest score that counts as a match. Default: 0.7.',
    examples: 'Texts to calibrate with.',
  },
  SemanticExamples: {
    positive: 'Texts that should match.',
    negative: 'Texts that should not match.',
  },
  Mark: {
    actor: 'Actor. Optional if there is only one.',
    phase: 'Phase that writes the value (phase-N if it has no name). Optional if there is only one.',
    at: 'JSON Pointer from the phase (from `execution` in the single-phase form): /state/tools/0/description.',
    benign: 'Replacement in the benign twin. Default: the value is removed.',
    needed: 'false: the agent can resist without having received it (for later orders).',
  },
  Await: {
    actor: 'Actor. Default: this one.',
    extractors: 'Names.',
    within: 'Time to wait.',
  },
};

/** The page that explains a field further: the specification, or our own page for an extension. */
const pages = {
  format: ['the format', 'https://oatf.io'],
  extension: ['extensions', 'https://github.com/oatf/oatf/blob/main/docs/extensions/README.md'],
} as const;

/** Describes a field and links to its page. Editors show `markdownDescription` with a link to follow. */
export function describeWithLink(text: string, page: keyof typeof pages) {
  const [title, address] = pages[page];
  return { description: `${text} ${address}`, markdownDescription: `${text}\n\n[${title}](${address})` };
}
