import { escapeInvisible } from '../../../format/model/escape-invisible.ts';
import { groupAlike, joinNamesWithin } from '../../../report/group-alike.ts';
import type { Sink } from '../../io.ts';

/** The line about an attack on an agent. */
export interface AgentLine {
  readonly agent: string;
  /** Agents whose lines have the same kind share a line. */
  readonly kind: string;
  /** The text, for one agent or for a label of several. */
  text(agent: string): string;
}

const indent = '      ';

/** One line for all agents with the same kind, with the reason of the first of them. */
export function foldLines(
  lines: readonly AgentLine[],
  agentWidth: number,
  { colours, columns }: Sink,
): readonly string[] {
  return groupAlike(lines, ({ kind }) => kind).map(({ first, all }) => {
    if (all.length === 1) return first.text(first.agent);
    const label = `${all.length} agents`;
    const names = joinNamesWithin(
      all.map(({ agent }) => escapeInvisible(agent)),
      columns - indent.length,
    );
    // Warnings may stand before the line.
    const told = first.text(label.padEnd(agentWidth)).split(/(?<=\n)/);
    const at = told.findIndex((line) => line.includes(label)) + 1;
    return told.toSpliced(at, 0, `${colours.dim(`${indent}${names}`)}\n`).join('');
  });
}
