import { builtInAgentNames } from '../../built-in/names.ts';
import { openLibrary } from '../../suite/library.ts';
import { commands, commonFlags } from '../commands.ts';
import { explanations } from '../explanations.ts';
import type { CommandRow, Flag, Operand } from '../table.ts';

/** A row of the command table, as completion scripts need it. */
export interface Completed {
  readonly name: string;
  readonly summary: string;
  readonly flags: readonly Flag[];
  /** Words to offer for the operand. */
  readonly operands: readonly string[];
  /** Whether the operand may be a file. */
  readonly files: boolean;
  /** Whether there may be several operands. */
  readonly many: boolean;
}

export function completedCommands(): readonly Completed[] {
  return Object.entries<CommandRow>(commands).map(([name, { summary, flags, operand }]) => ({
    name,
    summary,
    flags: [...flags, ...commonFlags].flatMap((flag) => [flag, ...negated(flag)]),
    operands: wordsOf(operand),
    files: operand?.completes?.includes('files') ?? false,
    many: operand?.many ?? false,
  }));
}

/** The `--no-` form, as a flag of its own. */
function negated({ name, negatable, description }: Flag): readonly Flag[] {
  return negatable ? [{ name: `no-${name}`, description: `not: ${description}` }] : [];
}

function wordsOf(operand: Operand | undefined): readonly string[] {
  switch (operand?.completes) {
    case 'ids or files':
      return libraryIds();
    case 'codes, ids or files':
      return [...Object.keys(explanations), ...libraryIds()];
    case 'commands':
      return Object.keys(commands);
    case 'agents':
      return builtInAgentNames;
    default:
      return operand?.choices ?? [];
  }
}

/** The ids of the installed library. Users generate the script again after an update. */
function libraryIds(): readonly string[] {
  const library = openLibrary();
  return library.ok ? library.documents.map(({ id }) => id) : [];
}

/** The words to offer for the value of a flag; files if there are none. */
export function offersOf({ choices, offers }: Flag): readonly string[] | undefined {
  return choices ?? offers;
}

export function spellings({ name, short }: Flag): readonly string[] {
  return [...(short === undefined ? [] : [`-${short}`]), `--${name}`];
}
