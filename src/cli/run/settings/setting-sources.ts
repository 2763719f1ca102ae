import type { Arguments } from '../../commands.ts';
import type { WrongUsage } from './wrong-usage.ts';

export type SettingSource =
  | { readonly kind: 'flag' }
  | { readonly kind: 'resumed' }
  | { readonly kind: 'variable'; readonly name: string }
  /** `file`: as the user would type it. */
  | { readonly kind: 'file'; readonly file: string }
  /** The default: no source sets the value. */
  | { readonly kind: 'usual' };

export type SettingName = keyof Arguments<'run'>;

export type SettingSources = { readonly [N in SettingName]?: SettingSource };

/** The source of a setting in a few words. `isOff`: the setting is turned off. */
export function describeSource(name: string, source: SettingSource, isOff = false): string {
  switch (source.kind) {
    case 'flag':
      return name === 'documents' ? 'as typed' : `--${isOff ? 'no-' : ''}${toFlagName(name)}`;
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

/** The flag of a setting: `gracePeriod` becomes `grace-period`. */
function toFlagName(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

function toSettingName(flag: string): string {
  return flag.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

/** The message about a wrong value, naming its source. */
export function describeWrongValue(
  wrong: WrongUsage,
  findSource: (name: string, typed: string) => SettingSource,
): string {
  const { about, message } = wrong;
  if (about === undefined) return message;
  const { flag, typed, problem } = about;
  const name = toSettingName(flag);
  const prefix = formatSourcePrefix(name, findSource(name, typed));
  return typed === '' ? `${prefix.replace(/[ =:]+$/, '')}: ${problem}` : `${prefix}${typed}: ${problem}`;
}

/** The text that stands before a value at its source. */
export function formatSourcePrefix(name: string, source: SettingSource | undefined): string {
  switch (source?.kind) {
    case 'variable':
      return `${source.name}=`;
    case 'file':
      return `${source.file}: ${name}: `;
    default:
      return `--${toFlagName(name)} `;
  }
}
