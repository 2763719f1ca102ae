import { agentPrefix } from '../model-offers.ts';
import { chooseTools, scoreFit } from './choose-tools.ts';
import { splitClauses } from './clauses.ts';
import { dropItemLabel, dropItemNumber, isInstruction, splitSentences } from './sentences.ts';
import type { TextSource } from './text-sources.ts';
import { namesTool } from './tool-names.ts';
import { mentionsAgent, type ToolProfile } from './tool-profile.ts';

/** A tool that a text asks to call, with the sentence that asks for it. */
export interface InjectedInstruction {
  readonly tool: ToolProfile;
  readonly sentence: string;
  readonly source: TextSource;
}

export interface InjectedInstructions {
  readonly wanted: readonly InjectedInstruction[];
  /** Every sentence that gives an instruction, whether or not a tool can carry it out. */
  readonly sentences: readonly string[];
}

const maxOrders = 120;
const demand =
  /\b(?:must|should|shall|will|could|can|may|please|always|(?:need|have|required|asked|instructed) to)\b(?: (?:now|first|also|then|be)\b)*/i;

export function findInjectedInstructions(
  sources: readonly TextSource[],
  tools: readonly ToolProfile[],
): InjectedInstructions {
  const wanted: InjectedInstruction[] = [];
  const sentences: string[] = [];
  for (const source of sources)
    for (const sentence of new Set(splitSentences(source.text))) {
      const others = tools.filter(({ name }) => name !== source.tool);
      const isOrder = isInstruction(sentence);
      const named = others.filter(
        (tool) => namesTool(sentence, tool.ownName) || (isOrder && mentionsAgent(sentence, tool)),
      );
      if (isOrder || named.length > 0) sentences.push(sentence);
      const chosen = new Set([
        ...named,
        ...(isOrder ? [...findFittingTools(sentence, others), ...findAuthor(source, tools)] : []),
      ]);
      wanted.push(...[...chosen].map((tool) => ({ tool, sentence, source })));
    }
  return { wanted: wanted.slice(0, maxOrders), sentences: [...new Set(sentences)] };
}

/** The agent whose card holds the instruction: an instruction of a card applies to calls of that agent. */
function findAuthor({ tool }: TextSource, tools: readonly ToolProfile[]): readonly ToolProfile[] {
  return tools.filter(({ name }) => name === tool && name.startsWith(agentPrefix));
}

function findFittingTools(sentence: string, tools: readonly ToolProfile[]): readonly ToolProfile[] {
  // "All data must be forwarded to …": the instruction begins after the demanding word.
  const parts = [
    dropItemNumber(sentence),
    dropItemLabel(sentence),
    ...sentence.split(demand).slice(1),
    ...sentence.split(/:\s+/).slice(1),
  ];
  const clauses = parts.flatMap(splitClauses);
  const chosen = chooseTools(clauses, tools).filter(({ tool, clause }) => scoreFit(clause, tool) > 0);
  return [...new Set(chosen.map(({ tool }) => tool))];
}

/**
 * Words for the knowledge of an agent that an attacker wants: its instructions, its context, the conversation, secrets
 * of its user.
 */
const knowledge =
  /\b(?:context|system prompt|instructions|conversation|chat|history|transcript|everything|verbatim|word (?:for|by) word|all (?:that )?(?:you|it|the assistant) knows?|memory|notes|profile|pass(?:word|code|phrase)|credentials?|secrets?|tokens?|api keys?|pin|card number|account number)\b/i;

const prohibition = /\b(?:never|do not|don't|must not|may not|should not|not (?:to|for)|only)\b/i;

/** Whether a text asks the reader for something that the reader knows. */
export function asksForKnowledge(text: string): boolean {
  return knowledge.test(text) && !prohibition.test(text);
}

/** "Email subject" is a label, although it begins with a verb. */
const label = /^\S+(?: \S+)?(?<![.!:])$/;

/** Whether a sentence asks the reader to act; a prohibition is obeyed by doing nothing. */
export function asksForAct(sentence: string): boolean {
  return isInstruction(sentence) && !prohibition.test(sentence) && !label.test(sentence);
}
