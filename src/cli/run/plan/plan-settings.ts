import flags from '../../../../data/plan-settings.json' with { type: 'json' };
import type { Value } from '../../../format/model/value.ts';
import type { SuitePlan } from '../../../suite/plan/plan.ts';
import type { Arguments } from '../../commands.ts';

/** The flags that affect runs and are therefore stored with the plan. */
type SettingName = keyof typeof flags.stored;

// Headers are secrets and are never stored. A flag that is in neither part of the table does not compile.
({ ...flags.stored, ...flags.notStored }) satisfies { readonly [N in keyof Arguments<'run'>]-?: unknown };

export const settingNames = Object.keys(flags.stored) as readonly SettingName[];

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
