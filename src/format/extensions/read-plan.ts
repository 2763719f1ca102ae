import { planKey } from '../model/extension-keys.ts';
import type { NormalizedDocument } from '../model/normalized.ts';
import type { Path } from '../model/path.ts';
import type { PlannedAnswer, PlannedStep } from '../model/user-plan.ts';
import { getOwnValue, isValueMap, type Value, type ValueMap } from '../model/value.ts';
import { findNotice, type Notice } from '../registry/known-modes.ts';
import { createViolation, quoteValue, type RuleFinding, suggestKey } from '../validate/rule-finding.ts';

/** The path of the plan in a document. */
export const planPath: Path = ['attack', planKey];

/** `O-281`: a step is not written as steps are. `O-282`: it names an actor that the document does not have. */
export interface PlanShapeFinding extends RuleFinding {
  readonly rule: 'O-281' | 'O-282';
}

export interface PlanReading {
  /** The steps by their index in the list; those that are not well-formed are left out. */
  readonly steps: ReadonlyMap<number, PlannedStep>;
  readonly findings: readonly PlanShapeFinding[];
}

/** The most steps of a plan. */
const mostSteps = 200;

/**
 * The steps of the user's task. Undefined if the document has no plan, or if another tool uses the key for something else:
 * then the built-in agents go by the user's words.
 */
export function readDocumentPlan(document: NormalizedDocument): readonly PlannedStep[] | undefined {
  const { steps, findings } = readWrittenPlan(document);
  return steps.size > 0 && findings.length === 0 ? [...steps.values()] : undefined;
}

/** The steps of a document's plan, with what is wrong with them; no steps if it has no plan. */
export function readWrittenPlan(document: NormalizedDocument): PlanReading {
  const written = getOwnValue(document.attack.extensions ?? {}, planKey);
  return written === undefined ? { steps: new Map(), findings: [] } : readPlanSteps(written, planPath, document);
}

/** Reads a list of steps that a document's agent can make. */
export function readPlanSteps(written: Value, path: Path, document: NormalizedDocument): PlanReading {
  const steps = new Map<number, PlannedStep>();
  const findings: PlanShapeFinding[] = [];
  if (!Array.isArray(written) || written.length === 0)
    return {
      steps,
      findings: [createViolation('O-281', path, 'expected a list of steps', 'such as [{ say: Done. }]')],
    };
  if (written.length > mostSteps)
    return { steps, findings: [createViolation('O-281', path, `a plan has at most ${mostSteps} steps`)] };
  for (const [index, item] of (written as readonly Value[]).entries()) {
    const found: PlanShapeFinding[] = [];
    const step = readStep(item, createStepContext(document, [...path, index], found));
    findings.push(...found);
    if (step !== undefined && found.length === 0) steps.set(index, step);
  }
  return { steps, findings };
}

/** Where a step stands, and how its mistakes are reported. */
interface StepContext {
  wrong(key: string | undefined, message: string, hint?: string): void;
  /** The actor that a step names, or the only one that it can mean. */
  findActor(notice: Notice, written: Value | undefined, key: string): string | undefined;
}

function createStepContext({ attack }: NormalizedDocument, path: Path, findings: PlanShapeFinding[]): StepContext {
  return {
    wrong(key, message, hint) {
      findings.push(createViolation('O-281', key === undefined ? path : [...path, key], message, hint));
    },
    findActor(notice, written, key) {
      const names = attack.execution.actors.filter(({ mode }) => findNotice(mode) === notice).map(({ name }) => name);
      const [only] = names;
      if (written === undefined && names.length === 1) return only;
      if (typeof written === 'string' && names.includes(written)) return written;
      const what = notice === 'mcp_config' ? 'MCP server' : 'A2A server';
      const message =
        written === undefined
          ? `the step names no actor, and the document has ${names.length} of this kind`
          : `no ${what} is named ${quoteValue(written)}`;
      const others = names.length === 0 ? `there is no ${what}` : `it can be ${names.map(quoteValue).join(', ')}`;
      findings.push(
        createViolation('O-282', [...path, key, ...(written === undefined ? [] : ['actor'])], message, others),
      );
      return undefined;
    },
  };
}

type StepReader = (value: Value, context: StepContext) => PlannedStep | undefined;

const waits = ['push', 'list_changed'] as const;
const called = ['tool', 'resource', 'prompt'] as const;

/** The kinds of steps, by the key that names each. */
const stepReaders: { readonly [key: string]: StepReader } = {
  call(value, context) {
    const fields = readFields(value, 'call', ['actor', ...called, 'arguments'], context);
    if (fields === undefined) return undefined;
    const given = called.filter((of) => fields[of] !== undefined);
    const [of] = given;
    const name = of === undefined ? undefined : fields[of];
    if (of === undefined || given.length > 1 || typeof name !== 'string')
      return void context.wrong('call', 'a call names one tool, resource or prompt', 'such as { tool: search }');
    const args = readArguments(fields.arguments, 'call', context);
    const actor = context.findActor('mcp_config', fields.actor, 'call');
    return actor === undefined || args === undefined ? undefined : { kind: 'call', actor, of, name, arguments: args };
  },
  send(value, context) {
    const fields = readFields(value, 'send', ['actor', 'message', 'metadata'], context);
    if (fields === undefined) return undefined;
    const { message, metadata } = fields;
    if (typeof message !== 'string') return void context.wrong('send', '`message` must be a text');
    if (metadata !== undefined && !isValueMap(metadata))
      return void context.wrong('send', '`metadata` must be a mapping');
    const actor = context.findActor('agent_card', fields.actor, 'send');
    return actor === undefined
      ? undefined
      : { kind: 'send', actor, message, ...(metadata !== undefined && { metadata }) };
  },
  frontend(value, context) {
    const fields = readFields(value, 'frontend', ['tool', 'arguments'], context);
    if (fields === undefined) return undefined;
    const { tool } = fields;
    if (typeof tool !== 'string') return void context.wrong('frontend', '`tool` must be the name of a tool');
    const args = readArguments(fields.arguments, 'frontend', context);
    return args === undefined ? undefined : { kind: 'frontend', tool, arguments: args };
  },
  answer(value, context) {
    const answer = readAnswer(value);
    if (answer !== undefined) return { kind: 'answer', answer };
    return void context.wrong(
      'answer',
      'expected { values }, { text } or decline',
      'such as { values: { nights: 2 } }',
    );
  },
  ask(value, context) {
    if (typeof value === 'string') return { kind: 'ask', text: value };
    const fields = readFields(value, 'ask', ['text', 'interrupt'], context);
    if (fields === undefined) return undefined;
    const { text, interrupt } = fields;
    if (typeof text !== 'string' || (interrupt !== undefined && !isValueMap(interrupt)))
      return void context.wrong('ask', 'expected a text, or { text, interrupt }');
    return { kind: 'ask', text, ...(interrupt !== undefined && { interrupt }) };
  },
  resume: (value, context) =>
    value === 'approved' ? { kind: 'resume' } : void context.wrong('resume', 'the only value is approved'),
  wait(value, context) {
    const reason = waits.find((each) => each === value);
    return reason === undefined
      ? void context.wrong('wait', `expected one of ${waits.join(', ')}`)
      : { kind: 'wait', for: reason };
  },
  session: (value, context) =>
    value === 'new' ? { kind: 'session' } : void context.wrong('session', 'the only value is new'),
  say: (value, context) =>
    typeof value === 'string' ? { kind: 'say', text: value } : void context.wrong('say', 'expected a text'),
};

const kinds = Object.keys(stepReaders);
/** Steps in a folder of the agent. They are left free for documents to come. */
const reserved: ReadonlySet<string> = new Set(['read', 'write', 'run']);

function readStep(item: Value, context: StepContext): PlannedStep | undefined {
  const keys = isValueMap(item) ? Object.keys(item) : [];
  const [key] = keys;
  if (!isValueMap(item) || key === undefined || keys.length > 1)
    return void context.wrong(undefined, 'a step is a mapping with one key', `it can be ${kinds.join(', ')}`);
  const read = getOwnValue(stepReaders, key);
  if (read !== undefined) return read(item[key] as Value, context);
  const hint = suggestKey(key, kinds, `it can be ${kinds.join(', ')}`);
  return reserved.has(key)
    ? void context.wrong(key, `steps of the kind ${quoteValue(key)} are not supported yet`)
    : void context.wrong(key, `there is no step ${quoteValue(key)}`, hint);
}

function readFields(
  value: Value,
  key: string,
  known: readonly string[],
  context: StepContext,
): Partial<ValueMap> | undefined {
  if (!isValueMap(value)) return void context.wrong(key, `expected a mapping with ${known.join(', ')}`);
  const odd = Object.keys(value).find((each) => !known.includes(each));
  if (odd === undefined) return value;
  return void context.wrong(
    key,
    `unknown field ${quoteValue(odd)}`,
    suggestKey(odd, known, `it can be ${known.join(', ')}`),
  );
}

function readArguments(written: Value | undefined, key: string, context: StepContext): ValueMap | undefined {
  if (written === undefined) return {};
  return isValueMap(written) ? written : void context.wrong(key, '`arguments` must be a mapping');
}

function readAnswer(value: Value): PlannedAnswer | undefined {
  if (value === 'decline') return { kind: 'decline' };
  if (!isValueMap(value) || Object.keys(value).length !== 1) return undefined;
  const { values, text }: Partial<ValueMap> = value;
  if (isValueMap(values)) return { kind: 'values', values };
  return typeof text === 'string' ? { kind: 'text', text } : undefined;
}
