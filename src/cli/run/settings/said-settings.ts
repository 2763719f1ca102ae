import { shownUrl } from '../../../secrets/given.ts';
import { redactorFor } from '../../../secrets/redactor.ts';
import type { Setup } from './setup.ts';
import { type Source, sourceInWords } from './sources.ts';

/** A setting, its value as it may be shown, and its source. */
export interface SaidSetting {
  readonly name: string;
  readonly value: string;
  readonly source: string;
}

type Said = Pick<Setup, 'values' | 'sources' | 'prompts' | 'meant' | 'sourceOf'>;

/** Lists the settings and their sources: the first question when a run behaves unexpectedly. */
export function saidSettings(said: Said, file: string | undefined): readonly SaidSetting[] {
  const { values, sources, prompts, meant } = said;
  const redactor = redactorFor(false);
  const shown: { readonly [name: string]: unknown } = {
    ...values,
    // By name, as they are stored: the typed text may hold secrets.
    agent: meant.agents.map(({ name }) => name),
  };
  const settings = (Object.entries(sources) as [string, Source][]).flatMap(
    ([name, source]): readonly SaidSetting[] => {
      const value = redactor.text(inWords(shown[name]));
      return value === ''
        ? []
        : [{ name, value, source: sourceInWords(name, source, shown[name] === false) }];
    },
  );
  const own = Object.entries(prompts).map(
    ([agent, prompt]): SaidSetting => ({
      name: `prompt of ${agent}`,
      value: redactor.text(prompt),
      source: file ?? 'as it was begun',
    }),
  );
  const config = file === undefined ? [] : [{ name: 'config', value: file, source: '' }];
  return [...config, ...settings, ...own, ...placesIn(said)];
}

/** Each actor has its own address, and each address may come from another source. */
function placesIn({ values, sources, sourceOf }: Said): readonly SaidSetting[] {
  const names = (['listen', 'connect'] as const).filter((name) => sources[name] === undefined);
  return names.flatMap((name) =>
    values[name].map((text) => {
      const [, actor, place = text] = /^([A-Za-z0-9_-]+)=(.*)$/s.exec(text) ?? [];
      return {
        name: actor === undefined ? name : `${name} ${actor}`,
        // The arguments of the program may hold a secret.
        value: place.startsWith('command:') ? 'command:…' : shownUrl(place),
        source: sourceInWords(name, sourceOf(name, text)),
      };
    }),
  );
}

function inWords(value: unknown): string {
  if (value === undefined) return '';
  return Array.isArray(value) ? value.join(', ') : String(value);
}
