import { foldAlike, namesWithin } from '../../../report/fold.ts';
import { visible } from '../../../report/visible.ts';
import type { Sink } from '../../io.ts';

/** The line about an attack on an agent. */
export interface Line {
  readonly agent: string;
  /** Agents whose lines have the same kind share one. */
  readonly kind: string;
  /** The text, for one agent or for a label of several. */
  text(agent: string): string;
}

const indent = '      ';

/** One line for all agents with the same kind, with the reason of the first of them. */
export function foldLines(
  lines: readonly Line[],
  agentWidth: number,
  { colours, columns }: Sink,
): readonly string[] {
  return foldAlike(lines, ({ kind }) => kind).map(({ first, all }) => {
    if (all.length === 1) return first.text(first.agent);
    const label = `${all.length} agents`;
    const names = namesWithin(
      all.map(({ agent }) => visible(agent)),
      columns - indent.length,
    );
    // Warnings may stand before the line.
    const told = first.text(label.padEnd(agentWidth)).split(/(?<=\n)/);
    const at = told.findIndex((line) => line.includes(label)) + 1;
    return told.toSpliced(at, 0, `${colours.dim(`${indent}${names}`)}\n`).join('');
  });
}
