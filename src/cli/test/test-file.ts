import { builtInAgentNames } from '../../agents/built-in/built-in-agents.ts';
import { readYaml, type YamlDocument } from '../../format/document/read-yaml.ts';
import { enumerations } from '../../format/model/enumeration-types.ts';
import { outcomeNames } from '../../format/model/results-file.ts';
import { isValueMap, type Value, type ValueMap } from '../../format/model/value.ts';
import { findNearest } from '../../format/registry/suggestions.ts';
import { readVictims, type WrittenVictim } from './victims.ts';

// `*.test.yaml`: the expectations for a document, case by case.

export interface Expected {
  readonly verdict?: string;
  readonly outcome?: string;
  readonly tier?: string | null;
  readonly task?: string;
  readonly twin?: string;
  readonly coverage?: string;
  /** By id; `*` stands for every indicator that is not named. */
  readonly indicators?: { readonly [id: string]: string };
}

export type ExpectedKey = keyof Expected;

interface CaseBase {
  readonly name: string;
  readonly expect: Expected;
  /** The index in the file, for `--update`. */
  readonly index: number;
}

export type TestCase = CaseBase &
  (
    | { readonly kind: 'agent'; readonly agent: string }
    | { readonly kind: 'trace'; readonly trace: string }
    | { readonly kind: 'messages'; readonly messages: readonly ValueMap[] }
  );

export interface TestFile {
  /** The document under test. Default: the file of the same name. */
  readonly document?: string;
  /** Files, folders and patterns. Each document is checked against every case. */
  readonly documents?: readonly string[];
  /** The user's prompt, if the document gives none. */
  readonly prompt?: string;
  /** Whether each mark of a document is taken out in turn, to see whether the attack needs it. */
  readonly marks: boolean;
  /** Agents that fall for one thing, in place of `gullible` where no rule can read the payload. */
  readonly victims: readonly WrittenVictim[];
  readonly cases: readonly TestCase[];
  readonly yaml: YamlDocument;
}

export type ReadTestFile =
  | { readonly ok: true; readonly file: TestFile }
  | { readonly ok: false; readonly problems: readonly string[] };

/** The allowed values of each expectation; undefined if any text is allowed. */
const values: { readonly [K in ExpectedKey]: readonly string[] | undefined } = {
  verdict: enumerations.AttackResult,
  outcome: outcomeNames,
  tier: enumerations.Tier,
  task: ['done', 'not_done', 'unknown'],
  twin: ['clean', 'false_positive', 'over_refusal', 'inconclusive'],
  coverage: undefined,
  indicators: undefined,
};

const kinds = ['agent', 'trace', 'messages'] as const;

/** A case that expects nothing could not fail. It is allowed only if its expectations are about to be written. */
export function readTestFile(text: string, { isUpdated = false } = {}): ReadTestFile {
  const { yaml, problems: broken } = readYaml(text);
  if (yaml === undefined || broken.length > 0) return { ok: false, problems: broken.map(({ message }) => message) };
  const root = yaml.toJS() as Value;
  const problems: string[] = [];
  const wrong = (message: string): void => void problems.push(message);
  if (!isValueMap(root)) return { ok: false, problems: ['a test file is a mapping with `tests`'] };
  reportUnknownKeys(root, ['document', 'documents', 'prompt', 'marks', 'victims', 'tests'], '', wrong);
  const tests = Array.isArray(root.tests) ? (root.tests as readonly Value[]) : [];
  if (tests.length === 0 && root.victims === undefined) wrong('tests: there are none; it is a list of cases');
  for (const key of ['document', 'prompt'])
    if (root[key] !== undefined && typeof root[key] !== 'string') wrong(`${key}: must be a text`);
  if (root.marks !== undefined && typeof root.marks !== 'boolean') wrong('marks: must be true or false');
  const documents = readDocuments(root, wrong);
  const victims = readVictims(root.victims, { yaml, text }, wrong);
  if (documents !== undefined && victims.length > 0) wrong('victims: belong to one document, not to `documents`');
  const cases = tests.flatMap((test, index) => readCase(test, index, wrong) ?? []);
  if (documents !== undefined)
    for (const { index, kind } of cases)
      if (kind !== 'agent')
        wrong(`tests[${index}].${kind}: belongs to one document; cases of \`documents\` have an agent`);
  if (!isUpdated)
    for (const { index, expect } of cases)
      if (isEmpty(expect)) wrong(`tests[${index}].expect: nothing is expected; --update writes what is found`);
  if (problems.length > 0) return { ok: false, problems };
  return {
    ok: true,
    file: {
      ...(typeof root.document === 'string' && { document: root.document }),
      ...(documents !== undefined && { documents }),
      ...(typeof root.prompt === 'string' && { prompt: root.prompt }),
      marks: root.marks === true,
      victims,
      cases,
      yaml,
    },
  };
}

function readDocuments(
  { document, documents }: ValueMap,
  wrong: (message: string) => void,
): readonly string[] | undefined {
  if (documents === undefined) return undefined;
  if (document !== undefined) wrong('documents: give either `document` or `documents`, not both');
  const list = Array.isArray(documents) ? (documents as readonly Value[]) : [documents];
  const texts = list.filter((each) => typeof each === 'string');
  if (texts.length === 0 || texts.length < list.length)
    wrong('documents: must be a file, a folder or a pattern, or a list of them');
  return texts;
}

function readCase(test: Value, index: number, wrong: (message: string) => void): TestCase | undefined {
  const at = `tests[${index}]`;
  if (!isValueMap(test)) return void wrong(`${at}: must be a mapping`);
  reportUnknownKeys(test, ['name', 'expect', ...kinds], `${at}.`, wrong);
  const given = kinds.filter((kind) => test[kind] !== undefined);
  const [kind] = given;
  if (kind === undefined || given.length > 1) return void wrong(`${at}: a case has one of agent, trace and messages`);
  const expect = readExpected(test.expect ?? {}, kind, at, wrong);
  const name =
    typeof test.name === 'string' ? test.name : kind === 'messages' ? `messages ${index + 1}` : String(test[kind]);
  const base = { name, expect, index };
  if (kind === 'messages') {
    const messages = Array.isArray(test.messages) ? (test.messages as readonly Value[]) : [];
    if (messages.length === 0) wrong(`${at}.messages: must be a list of messages`);
    return {
      ...base,
      kind,
      messages: messages.flatMap((each, number) => readTestMessage(each, `${at}.messages[${number}]`, wrong)),
    };
  }
  const value = test[kind];
  if (typeof value !== 'string') return void wrong(`${at}.${kind}: must be a text`);
  if (kind === 'trace') return { ...base, kind, trace: value };
  if (!(builtInAgentNames as readonly string[]).includes(value))
    wrong(`${at}.agent: "${value}" is not a built-in agent; it can be ${builtInAgentNames.join(', ')}`);
  return { ...base, kind: 'agent', agent: value };
}

function readTestMessage(message: Value, at: string, wrong: (message: string) => void): readonly ValueMap[] {
  if (!isValueMap(message) || typeof message.method !== 'string') {
    wrong(`${at}: a message has a \`method\``);
    return [];
  }
  reportUnknownKeys(message, ['actor', 'from', 'method', 'content'], `${at}.`, wrong);
  if (message.from !== undefined && message.from !== 'agent' && message.from !== 'attacker')
    wrong(`${at}.from: must be agent or attacker`);
  return [message];
}

function readExpected(expect: Value, kind: TestCase['kind'], at: string, wrong: (message: string) => void): Expected {
  if (!isValueMap(expect)) {
    wrong(`${at}.expect: must be a mapping`);
    return {};
  }
  reportUnknownKeys(expect, Object.keys(values), `${at}.expect.`, wrong);
  for (const [key, value] of Object.entries(expect)) {
    const known = values[key as ExpectedKey];
    if (key === 'tier' && value === null) continue;
    if (known !== undefined && !known.includes(String(value)))
      wrong(`${at}.expect.${key}: "${String(value)}" is not one of ${known.join(', ')}`);
    if (key === 'coverage' && !/^\d+ of \d+$/.test(String(value))) wrong(`${at}.expect.coverage: such as "5 of 8"`);
    if (key === 'indicators' && !isValueMap(value)) wrong(`${at}.expect.indicators: results by the ids of indicators`);
    if (key === 'twin' && kind !== 'agent') wrong(`${at}.expect.twin: twins are played against agents only`);
  }
  return expect as Expected;
}

function isEmpty({ indicators, ...others }: Expected): boolean {
  return Object.keys({ ...indicators, ...others }).length === 0;
}

function reportUnknownKeys(
  map: ValueMap,
  known: readonly string[],
  at: string,
  wrong: (message: string) => void,
): void {
  for (const key of Object.keys(map)) {
    if (known.includes(key)) continue;
    const meant = findNearest(key, known);
    wrong(`${at}${key}: there is no such key${meant === undefined ? '' : `; did you mean ${meant}?`}`);
  }
}
