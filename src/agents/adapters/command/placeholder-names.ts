import { findPlaceholders } from '../placeholders.ts';
import type { CommandTarget } from '../targets.ts';
import { serverShapes } from './reported-servers.ts';

/** Placeholders whose value changes with each turn. */
export const turnPlaceholders = ['prompt', 'prompt_file', 'input_file'] as const;

/** Placeholders whose value is fixed for a run. */
const runPlaceholders: readonly string[] = [
  'mcp_config',
  ...Object.keys(serverShapes),
  'a2a_cards',
  'cwd',
  'config_folder',
];

/** Placeholders that contain a name, in the form that messages show. */
const openPlaceholders: readonly (readonly [name: string, pattern: RegExp])[] = [
  ['actors.NAME.url', /^actors\.[A-Za-z0-9_-]+\.url$/],
  ['env.NAME', /^env\.\w+$/],
];

/** Finds placeholders that have no value where they are used; each message lists those that have one. */
export function findPlaceholderProblems(
  { env = {}, files = {}, turns }: CommandTarget,
  commands: { readonly [field: string]: readonly string[] },
): readonly string[] {
  const inTurns = turns === 'keep' ? 'the program is launched once for all turns' : undefined;
  const places: readonly (readonly [where: string, text: string, notInTurns: string | undefined])[] = [
    ...Object.entries(commands).flatMap(([field, words]) =>
      words.map((word, index) => [field, word, index === 0 ? 'it is not a program' : inTurns] as const),
    ),
    ...Object.entries(env).map(([name, value]) => [`env.${name}`, value, inTurns] as const),
    ...Object.entries(files).map(
      ([path, text]) => [`files[${JSON.stringify(path)}]`, text, 'files are written once for all turns'] as const,
    ),
  ];
  return places.flatMap(([where, text, notInTurns]) =>
    findPlaceholders(text).flatMap((name) => {
      const isTurns = turnPlaceholders.some((known) => known === name);
      if (isTurns && notInTurns !== undefined) return [`${where}: {{${name}}} cannot be used here: ${notInTurns}`];
      if (isTurns || isKnown(name)) return [];
      const known = [
        ...(notInTurns === undefined ? turnPlaceholders : []),
        ...runPlaceholders,
        ...openPlaceholders.map(([name]) => name),
      ];
      return [`${where}: {{${name}}} is unknown; known are ${known.map((each) => `{{${each}}}`).join(', ')}`];
    }),
  );
}

function isKnown(name: string): boolean {
  return runPlaceholders.includes(name) || openPlaceholders.some(([, pattern]) => pattern.test(name));
}
