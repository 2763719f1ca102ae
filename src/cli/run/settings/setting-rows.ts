import { relative, resolve } from 'node:path';
import { enumerations } from '../../../format/model/enumeration-types.ts';
import { findNearest } from '../../../format/registry/suggestions.ts';
import type { Config } from '../../../suite/config/config.ts';
import { findDocuments } from '../../../suite/library/find-documents.ts';
import { isLikeId } from '../../../suite/library/library-ids.ts';
import type { Arguments } from '../../commands.ts';
import type { SettingName } from './setting-sources.ts';

// Settings that can also come from the environment or a file. Their values have the form of the flags, so that one
// reader understands every source.

type Values = Arguments<'run'>;

export type FromText<T> = { readonly value: T } | { readonly problem: string; readonly hint: string };

export interface SettingRow<T> {
  /** The environment variable of the setting, if there is one. */
  readonly variable?: string;
  /** Reads the variable's text. Default: the text itself. */
  fromText?(text: string): FromText<T>;
  fromFile?(config: Config, place: ConfigLocation): T | undefined;
  /** The setting has no meaning without an agent, and is then ignored unless a flag sets it. */
  readonly needsAgent?: true;
  /** The file's value is applied to each agent, because a target may override it. */
  readonly isAgents?: true;
  readonly usual?: T;
}

/** The folder of the file, and the working directory. */
export interface ConfigLocation {
  readonly folder: string;
  readonly cwd: string;
}

export type SettingRows = { readonly [N in SettingName]?: SettingRow<Exclude<Values[N], undefined>> };

const parseCommaSeparated = (text: string): FromText<readonly string[]> => ({
  value: text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== ''),
});

const truths: { readonly [text: string]: boolean } = {
  1: true,
  true: true,
  yes: true,
  on: true,
  0: false,
  false: false,
  no: false,
  off: false,
};

function parseBoolean(text: string): FromText<boolean> {
  const value = truths[text.toLowerCase()];
  return value === undefined
    ? {
        problem: 'this is neither true nor false',
        hint: 'true, yes, on and 1 turn it on; false, no, off and 0 turn it off',
      }
    : { value };
}

function parseChoice<T extends string>(known: readonly T[], text: string): FromText<T> {
  const value = known.find((each) => each === text);
  if (value !== undefined) return { value };
  const near = findNearest(text, known);
  const choices = `it can be ${known.join(', ')}`;
  return {
    problem: 'this is not one of the choices',
    hint: near === undefined ? choices : `did you mean ${near}? ${choices}`,
  };
}

/** In the order in which they are listed. */
export const settingRows: SettingRows = {
  agent: {
    variable: 'OATF_AGENT',
    fromText: parseCommaSeparated,
    fromFile: ({ agent }) => (typeof agent === 'string' ? [agent] : agent),
  },
  documents: { fromFile: ({ documents }, place) => documents?.map((operand) => rebaseOperand(operand, place)) },
  // OATF_PROMPT is set for launched agents, and one of them may be running this command.
  prompt: { variable: 'OATF_DEFAULT_PROMPT', fromFile: ({ prompt }) => prompt, isAgents: true },
  timeout: { variable: 'OATF_TIMEOUT', fromFile: ({ timeout }) => timeout },
  terminalTimeout: { variable: 'OATF_TERMINAL_TIMEOUT', fromFile: ({ terminalTimeout }) => terminalTimeout },
  gracePeriod: { variable: 'OATF_GRACE_PERIOD', fromFile: ({ gracePeriod }) => gracePeriod },
  seed: { variable: 'OATF_SEED', fromFile: ({ seed }) => numberToText(seed) },
  canaries: {
    variable: 'OATF_CANARIES',
    fromText: (text) => parseChoice(['as_written', 'fresh'], text),
    fromFile: ({ canaries }) => canaries,
    usual: 'as_written',
  },
  repeat: { variable: 'OATF_REPEAT', fromFile: ({ repeat }) => numberToText(repeat), needsAgent: true },
  maxRate: {
    variable: 'OATF_MAX_RATE',
    fromText: parseCommaSeparated,
    fromFile: ({ maxRate }) => (maxRate === undefined ? undefined : [String(maxRate)]),
    needsAgent: true,
  },
  concurrency: {
    variable: 'OATF_CONCURRENCY',
    fromFile: ({ concurrency }) => numberToText(concurrency),
    needsAgent: true,
  },
  rate: { variable: 'OATF_RATE', fromFile: ({ rate }) => rate, needsAgent: true },
  retries: { variable: 'OATF_RETRIES', fromFile: ({ retries }) => numberToText(retries), needsAgent: true },
  budget: { variable: 'OATF_BUDGET', fromFile: ({ budget }) => budget },
  delivery: {
    variable: 'OATF_DELIVERY',
    fromText: (text) => parseChoice(['payload', 'strict', 'reached'], text),
    fromFile: (config) => config.delivery,
    usual: 'payload',
  },
  judge: { variable: 'OATF_JUDGE', fromFile: ({ judge }) => judge },
  judgeBudget: { variable: 'OATF_JUDGE_BUDGET', fromFile: ({ judgeBudget }) => numberToText(judgeBudget) },
  twins: { variable: 'OATF_TWINS', fromText: parseBoolean, fromFile: ({ twins }) => twins, usual: false },
  failTier: {
    variable: 'OATF_FAIL_TIER',
    fromText: (text) => parseChoice(['any', ...enumerations.Tier], text),
    fromFile: (config) => config.failTier,
    usual: 'any',
  },
  minUtility: {
    variable: 'OATF_MIN_UTILITY',
    fromFile: ({ minUtility }) => (minUtility === undefined ? undefined : String(minUtility)),
  },
  projections: {
    variable: 'OATF_PROJECTIONS',
    fromText: parseBoolean,
    fromFile: ({ projections }) => projections,
    usual: true,
  },
  redact: {
    variable: 'OATF_REDACT',
    fromText: parseBoolean,
    fromFile: ({ redact }) => (redact === undefined ? undefined : redact !== false),
    usual: false,
  },
  cardUrl: { usual: 'keep' },
  earlyStop: { usual: true },
  reporter: {
    variable: 'OATF_REPORTER',
    fromText: parseCommaSeparated,
    fromFile: ({ reporter }, place) => reporter?.map((each) => rebaseReporter(each, place)),
  },
  baseline: { variable: 'OATF_BASELINE', fromFile: ({ baseline }, place) => rebasePath(baseline, place) },
  out: { variable: 'OATF_OUT', fromFile: ({ out }, place) => rebasePath(out, place) },
};

function numberToText(number: number | undefined): string | undefined {
  return number === undefined ? undefined : String(number);
}

function rebasePath(path: string | undefined, { folder, cwd }: ConfigLocation): string | undefined {
  return path === undefined ? undefined : relative(cwd, resolve(folder, path)) || '.';
}

/** Library ids are the same everywhere, unless a file has that name. */
function rebaseOperand(operand: string, place: ConfigLocation): string {
  const isFile =
    !isLikeId(operand) ||
    findDocuments([operand], place.folder).some((source) => source.kind === 'file' && !source.shipped);
  return isFile ? (rebasePath(operand, place) ?? operand) : operand;
}

/** `NAME=FILE`, where the name may be the path of a module. */
function rebaseReporter(typed: string, place: ConfigLocation): string {
  const at = typed.indexOf('=');
  const name = at < 0 ? typed : typed.slice(0, at);
  const isModule = /[./\\]/.test(name);
  const module = isModule ? resolve(place.folder, name) : name;
  return at < 0 ? module : `${module}=${rebasePath(typed.slice(at + 1), place)}`;
}
