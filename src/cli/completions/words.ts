import { commands, commonFlags } from '../commands.ts';
import { explanations } from '../explanations.ts';
import type { CommandRow, Flag, Operand } from '../table.ts';

/** A row of the command table as completion scripts need it. */
export interface Completed {
  readonly name: string;
  readonly summary: string;
  readonly flags: readonly Flag[];
  /** Words to offer for the operand; undefined stands for files. */
  readonly operands: readonly string[] | undefined;
}

export function completedCommands(): readonly Completed[] {
  return Object.entries<CommandRow>(commands).map(([name, { summary, flags, operand }]) => ({
    name,
    summary,
    flags: [...flags, ...commonFlags],
    operands: wordsOf(operand),
  }));
}

function wordsOf(operand: Operand | undefined): readonly string[] | undefined {
  if (operand === undefined) return [];
  switch (operand.completes) {
    case 'files':
      return undefined;
    case 'codes':
      return Object.keys(explanations);
    case 'commands':
      return Object.keys(commands);
    default:
      return operand.choices ?? [];
  }
}

export function spellings({ name, short }: Flag): readonly string[] {
  return [...(short === undefined ? [] : [`-${short}`]), `--${name}`];
}
