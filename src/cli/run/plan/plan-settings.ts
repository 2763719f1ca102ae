import type { Value } from '../../../model/value.ts';
import type { Plan } from '../../../suite/plan.ts';
import type { Arguments } from '../../commands.ts';

/**
 * Whether runs depend on what was said, so that it is stored with the plan. The rest says what is run, which the plan
 * has in other words, or how fast and how it is shown; and headers are secrets, which are stored nowhere.
 */
const isSetting = {
  connect: true,
  cardUrl: true,
  allowHost: true,
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
  // A pattern may be a secret itself; how many there are is stored.
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
  // The plan has the twins and the tier itself.
  twins: false,
  failTier: false,
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
  // What was left out stands in the plan itself.
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

/** What is stored in words of its own. */
interface OwnSettings {
  /** What the user says to agents that have a prompt of their own. */
  readonly prompts?: { readonly [agent: string]: string };
  /** How many patterns are masked. */
  readonly redactPatterns?: number;
  /** What tells programs apart that go by the same name, of agents that are one. */
  readonly programs?: { readonly [agent: string]: string };
}

const ownNames = ['prompts', 'redactPatterns', 'programs'] as const satisfies readonly (keyof OwnSettings)[];

/** What is stored with a plan of what was said, and only that. */
export function planSettings(
  values: { readonly [N in SettingName]?: Arguments<'run'>[N] } & OwnSettings,
): Plan['settings'] {
  const said = [...settingNames, ...ownNames].flatMap((name): [string, Value][] => {
    const value = values[name];
    return value === undefined || (Array.isArray(value) && value.length === 0)
      ? []
      : [[name, value as Value]];
  });
  return Object.fromEntries(said);
}
