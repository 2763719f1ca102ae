import type { Value } from '../../../format/model/value.ts';
import type { SuitePlan } from '../../../suite/plan/plan.ts';
import type { Arguments } from '../../commands.ts';

/**
 * The flags that affect runs and are therefore stored with the plan. Other flags choose what runs, which the plan
 * itself lists, or set the speed and the display. Headers are secrets and are never stored.
 */
const isSetting = {
  connect: true,
  cardUrl: true,
  allowHost: true,
  without: true,
  prompt: true,
  listen: true,
  expose: true,
  hostName: true,
  tlsCert: true,
  tlsKey: true,
  stdio: true,
  era: true,
  timeout: true,
  terminalTimeout: true,
  gracePeriod: true,
  seed: true,
  delivery: true,
  projections: true,
  judge: true,
  judgeBudget: false,
  redact: true,
  // A pattern may itself be a secret, so only the number of patterns is stored.
  redactPattern: false,
  config: false,
  documents: false,
  tag: false,
  severity: false,
  category: false,
  protocol: false,
  mode: false,
  surface: false,
  tier: false,
  status: false,
  mapping: false,
  id: false,
  agent: false,
  // The plan stores the twins, the tier and the minimum utility itself.
  twins: false,
  failTier: false,
  minUtility: false,
  repeat: false,
  maxRate: false,
  earlyStop: false,
  shard: false,
  durations: false,
  header: false,
  concurrency: false,
  rate: false,
  retries: false,
  budget: false,
  failFast: false,
  // The plan itself lists the documents that were left out.
  skipInvalid: false,
  baseline: false,
  resume: false,
  list: false,
  watch: false,
  reporter: false,
  out: false,
  ui: false,
  json: false,
  quiet: false,
  verbose: false,
  showSecrets: false,
} as const satisfies { readonly [N in keyof Arguments<'run'>]: boolean };

type SettingName = {
  [N in keyof typeof isSetting]: (typeof isSetting)[N] extends true ? N : never;
}[keyof typeof isSetting];

export const settingNames = Object.entries(isSetting).flatMap(([name, is]) =>
  is ? name : [],
) as readonly SettingName[];

/** Settings that are not stored as they were typed. */
interface OwnSettings {
  /** The prompts of agents that have their own. */
  readonly prompts?: { readonly [agent: string]: string };
  /** The number of patterns that are masked. */
  readonly redactPatterns?: number;
  /** A fingerprint of each program, because programs may have the same name. */
  readonly programs?: { readonly [agent: string]: string };
}

const ownNames = ['prompts', 'redactPatterns', 'programs'] as const satisfies readonly (keyof OwnSettings)[];

/** The settings that are stored with a plan, and no others. */
export function createPlanSettings(
  values: { readonly [N in SettingName]?: Arguments<'run'>[N] } & OwnSettings,
): SuitePlan['settings'] {
  const entries = [...settingNames, ...ownNames].flatMap((name): [string, Value][] => {
    const value = values[name];
    return value === undefined || (Array.isArray(value) && value.length === 0) ? [] : [[name, value as Value]];
  });
  return Object.fromEntries(entries);
}
