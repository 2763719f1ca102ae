import type { Arguments } from '../../commands.ts';
import type { WrongUsage } from './wrong-usage.ts';

/** Where a setting was said. */
export type Source =
  | { readonly kind: 'flag' }
  | { readonly kind: 'resumed' }
  | { readonly kind: 'variable'; readonly name: string }
  /** `file` as the user would type it. */
  | { readonly kind: 'file'; readonly file: string }
  /** Nowhere. */
  | { readonly kind: 'usual' };

export type SettingName = keyof Arguments<'run'>;

export type Sources = { readonly [N in SettingName]?: Source };

/** Where a setting comes from, in a word or two; `isOff` for one that is turned off. */
export function sourceInWords(name: string, source: Source, isOff = false): string {
  switch (source.kind) {
    case 'flag':
      return name === 'documents' ? 'as typed' : `--${isOff ? 'no-' : ''}${flagOf(name)}`;
    case 'resumed':
      return 'as it was begun';
    case 'variable':
      return source.name;
    case 'file':
      return source.file;
    case 'usual':
      return 'as usual';
  }
}

/** `gracePeriod` on the command line. */
export function flagOf(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

function settingOf(flag: string): string {
  return flag.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

/** What is wrong, said of the place where it was said. */
export function atItsSource(wrong: WrongUsage, sourceOf: (name: string, typed: string) => Source): string {
  const { about, message } = wrong;
  if (about === undefined) return message;
  const { flag, typed, problem } = about;
  const name = settingOf(flag);
  const said = saidAt(name, sourceOf(name, typed));
  return typed === '' ? `${said.replace(/[ =:]+$/, '')}: ${problem}` : `${said}${typed}: ${problem}`;
}

/** What stands before a value where it was said. */
export function saidAt(name: string, source: Source | undefined): string {
  switch (source?.kind) {
    case 'variable':
      return `${source.name}=`;
    case 'file':
      return `${source.file}: ${name}: `;
    default:
      return `--${flagOf(name)} `;
  }
}
