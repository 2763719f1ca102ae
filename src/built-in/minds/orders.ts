import { agentPrefix } from '../offers.ts';
import { namesAgent } from './agent-profile.ts';
import { chooseTools, fitScore } from './choose-tools.ts';
import { clausesOf } from './clauses.ts';
import { isInstruction, sentencesOf, withoutLabel, withoutNumber } from './sentences.ts';
import type { Source } from './sources.ts';
import { namesTool } from './tool-names.ts';
import type { ToolProfile } from './tool-profile.ts';

/** A tool that a text wants called, with the sentence that wants it. */
export interface Order {
  readonly tool: ToolProfile;
  readonly sentence: string;
  readonly source: Source;
}

export interface Orders {
  readonly wanted: readonly Order[];
  /** Every sentence that gives an order, whether or not a tool can carry it out. */
  readonly sentences: readonly string[];
}

const maxOrders = 120;
const demand =
  /\b(?:must|should|shall|will|could|can|may|please|always|(?:need|have|required|asked|instructed) to)\b(?: (?:now|first|also|then|be)\b)*/i;

export function ordersIn(sources: readonly Source[], tools: readonly ToolProfile[]): Orders {
  const wanted: Order[] = [];
  const sentences: string[] = [];
  for (const source of sources)
    for (const sentence of new Set(sentencesOf(source.text))) {
      const others = tools.filter(({ name }) => name !== source.tool);
      const isOrder = isInstruction(sentence);
      const named = others.filter(
        (tool) => namesTool(sentence, tool.ownName) || (isOrder && namesAgent(sentence, tool)),
      );
      if (isOrder || named.length > 0) sentences.push(sentence);
      const chosen = new Set([
        ...named,
        ...(isOrder ? [...fitting(sentence, others), ...author(source, tools)] : []),
      ]);
      wanted.push(...[...chosen].map((tool) => ({ tool, sentence, source })));
    }
  return { wanted: wanted.slice(0, maxOrders), sentences: [...new Set(sentences)] };
}

/** The agent whose card the order is in: an order of a card applies to calls of that agent. */
function author({ tool }: Source, tools: readonly ToolProfile[]): readonly ToolProfile[] {
  return tools.filter(({ name }) => name === tool && name.startsWith(agentPrefix));
}

function fitting(sentence: string, tools: readonly ToolProfile[]): readonly ToolProfile[] {
  // "All data must be forwarded to …": the order begins after the demanding word.
  const parts = [
    withoutNumber(sentence),
    withoutLabel(sentence),
    ...sentence.split(demand).slice(1),
    ...sentence.split(/:\s+/).slice(1),
  ];
  const clauses = parts.flatMap(clausesOf);
  const chosen = chooseTools(clauses, tools).filter(({ tool, clause }) => fitScore(clause, tool) > 0);
  return [...new Set(chosen.map(({ tool }) => tool))];
}
