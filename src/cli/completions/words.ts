import { commands, commonFlags } from '../commands.ts';
import { explanations } from '../explanations.ts';
import type { CommandRow, Flag, Operand } from '../table.ts';

/** A row of the command table as completion scripts need it. */
export interface Completed {
  readonly name: string;
  readonly summary: string;
  readonly flags: readonly Flag[];
  /** Words to offer for the operand. */
  readonly operands: readonly string[];
  /** Whether it may be a file, too. */
  readonly files: boolean;
}

export function completedCommands(): readonly Completed[] {
  return Object.entries<CommandRow>(commands).map(([name, { summary, flags, operand }]) => ({
    name,
    summary,
    flags: [...flags, ...commonFlags],
    operands: wordsOf(operand),
    files: operand?.completes?.includes('files') ?? false,
  }));
}

function wordsOf(operand: Operand | undefined): readonly string[] {
  switch (operand?.completes) {
    case 'codes or files':
      return Object.keys(explanations);
    case 'commands':
      return Object.keys(commands);
    default:
      return operand?.choices ?? [];
  }
}

export function spellings({ name, short }: Flag): readonly string[] {
  return [...(short === undefined ? [] : [`-${short}`]), `--${name}`];
}
