import { builtInAgentNames } from '../../agents/built-in/built-in-agents.ts';
import { openLibrary } from '../../suite/library/library.ts';
import type { CommandRow, Flag, Operand } from '../command-row.ts';
import { commands, commonFlags } from '../commands.ts';
import { explainedCodes } from '../explanations.ts';

/** A row of the command table, as completion scripts need it. */
export interface CompletedCommand {
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

export function listCompletedCommands(): readonly CompletedCommand[] {
  return Object.entries<CommandRow>(commands).map(([name, { summary, flags, operand }]) => ({
    name,
    summary,
    flags: [...flags, ...commonFlags].flatMap((flag) => [flag, ...negateFlag(flag)]),
    operands: listOperandWords(operand),
    files: operand?.completes?.includes('files') ?? false,
    many: operand?.many ?? false,
  }));
}

/** The `--no-` form, as a flag of its own. */
function negateFlag({ name, negatable, description }: Flag): readonly Flag[] {
  return negatable ? [{ name: `no-${name}`, description: `not: ${description}` }] : [];
}

function listOperandWords(operand: Operand | undefined): readonly string[] {
  switch (operand?.completes) {
    case 'ids or files':
      return listLibraryIds();
    case 'codes, ids or files':
      return [...explainedCodes, ...listLibraryIds()];
    case 'commands':
      return Object.keys(commands);
    case 'agents':
      return builtInAgentNames;
    default:
      return operand?.choices ?? [];
  }
}

/** The ids of the installed library. Users generate the script again after an update. */
function listLibraryIds(): readonly string[] {
  const library = openLibrary();
  return library.ok ? library.documents.map(({ id }) => id) : [];
}

/** The words to offer for the value of a flag; files if there are none. */
export function listFlagOffers({ choices, offers }: Flag): readonly string[] | undefined {
  return choices ?? offers;
}

export function listSpellings({ name, short }: Flag): readonly string[] {
  return [...(short === undefined ? [] : [`-${short}`]), `--${name}`];
}
