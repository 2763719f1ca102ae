import { redactUrl } from '../../../secrets/given-secrets.ts';
import { selectRedactor } from '../../../secrets/redactor.ts';
import { splitActorValue } from '../addresses/actor-flag.ts';
import { describeSource, type SettingSource } from './setting-sources.ts';
import type { RunSetup } from './setup.ts';

/** A setting, its value without secrets, and its source. */
export interface GivenSetting {
  readonly name: string;
  readonly value: string;
  readonly source: string;
}

type SettingFacts = Pick<RunSetup, 'values' | 'sources' | 'prompts' | 'meant' | 'findSource'>;

/** Lists the settings and their sources, which explain most runs that behave unexpectedly. */
export function listGivenSettings(facts: SettingFacts, file: string | undefined): readonly GivenSetting[] {
  const { values, sources, prompts, meant } = facts;
  const redactor = selectRedactor(false);
  const stated: { readonly [name: string]: unknown } = {
    ...values,
    // By name, as they are stored: the typed text may hold secrets.
    agent: meant.agents.map(({ name }) => name),
  };
  const settings = (Object.entries(sources) as [string, SettingSource][]).flatMap(
    ([name, source]): readonly GivenSetting[] => {
      const value = redactor.text(formatSettingValue(stated[name]));
      return value === '' ? [] : [{ name, value, source: describeSource(name, source, stated[name] === false) }];
    },
  );
  const own = Object.entries(prompts).map(
    ([agent, prompt]): GivenSetting => ({
      name: `prompt of ${agent}`,
      value: redactor.text(prompt),
      source: file ?? 'as it was begun',
    }),
  );
  const config = file === undefined ? [] : [{ name: 'config', value: file, source: '' }];
  return [...config, ...settings, ...own, ...listAddressSettings(facts)];
}

/** Each actor has its own address, and each address may come from another source. */
function listAddressSettings({ values, sources, findSource }: SettingFacts): readonly GivenSetting[] {
  const names = (['listen', 'connect'] as const).filter((name) => sources[name] === undefined);
  return names.flatMap((name) =>
    values[name].map((text) => {
      const { actor, value: place } = splitActorValue(text);
      return {
        name: actor === undefined ? name : `${name} ${actor}`,
        // The arguments of the program may hold a secret.
        value: place.startsWith('command:') ? 'command:…' : redactUrl(place),
        source: describeSource(name, findSource(name, text)),
      };
    }),
  );
}

function formatSettingValue(value: unknown): string {
  if (value === undefined) return '';
  return Array.isArray(value) ? value.join(', ') : String(value);
}
