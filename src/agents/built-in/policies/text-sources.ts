import { isValueMap, type Value } from '../../../format/model/value.ts';
import type { ChatMessage, ModelInput, OfferedTool } from '../model.ts';
import { agentPrefix } from '../model-offers.ts';
import { functionsHeading } from '../system-prompt.ts';
import { isConfession } from './confession.ts';
import { findFirstSentence, isInstruction, tidy } from './sentences.ts';
import { findSinceTask } from './task-section.ts';
import { unhide } from './unhide.ts';

/** A text in which the gullible policy looks for instructions. */
export interface TextSource {
  readonly text: string;
  /** The tool whose definition contains the text; the text does not count as an instruction to call that tool. */
  readonly tool?: string;
}

const longEcho = 100;
const longest = 16 * 1024;
const longestInAll = 96 * 1024;

/** Every text except the user's own task: earlier messages, the descriptions of tools, and their results. */
export function collectTextSources({ system, messages, tools }: ModelInput): readonly TextSource[] {
  const { messages: since, before } = findSinceTask(messages);
  return [
    { text: dropSystemHeadings(system) },
    ...before
      .filter((message, index) => mayHoldInstruction(message, before, index))
      .map(({ content }) => ({ text: content })),
    ...tools.flatMap(collectDefinitionTexts),
    ...since
      .filter(({ role, content }) => role !== 'assistant' && content !== '')
      .map((message) => ({ text: dropEchoes(message, since) })),
  ]
    .reverse()
    .filter(limitToBudget(longestInAll))
    .reverse()
    .map((source) => ({ ...source, text: tidy(unhide(source.text.slice(0, longest)), longest) }));
}

/** Limits the amount of text; the latest texts are kept. */
function limitToBudget(budget: number): (source: TextSource) => boolean {
  let left = budget;
  return ({ text }) => {
    left -= Math.min(text.length, longest);
    return left >= 0;
  };
}

/** Earlier tasks are done, and the policy's own answers are not instructions. */
function mayHoldInstruction({ role, content }: ChatMessage, before: readonly ChatMessage[], index: number): boolean {
  if (content === '' || isConfession(content)) return false;
  if (role !== 'user') return true;
  const next = before.findIndex((message, place) => place > index && message.role === 'user');
  const after = before.slice(index + 1, next === -1 ? undefined : next);
  return !after.some(
    (message) =>
      message.role === 'tool' ||
      (message.role === 'assistant' && (message.toolCalls ?? []).length > 0) ||
      isConfession(message.content),
  );
}

/** Removes the echo of a call's own arguments from its result: an echo gives no instructions. */
function dropEchoes(message: ChatMessage, since: readonly ChatMessage[]): string {
  if (message.role !== 'tool') return message.content;
  const call = since
    .flatMap((one) => (one.role === 'assistant' ? (one.toolCalls ?? []) : []))
    .find(({ id }) => id === message.toolCallId);
  return Object.values(call?.arguments ?? {})
    .filter((value) => typeof value === 'string' && value.length >= longEcho)
    .reduce<string>((text, value) => text.replaceAll(value as string, ''), message.content);
}

function collectDefinitionTexts(tool: OfferedTool): readonly TextSource[] {
  return [...splitDescription(tool), ...collectSchemaTexts(tool.inputSchema, 0)]
    .filter((text) => text.trim() !== '')
    .map((text) => ({ text, tool: tool.name }));
}

/** The texts of a tool's definition apart from its purpose. */
export function splitDescription(tool: OfferedTool): readonly string[] {
  const description = tidy(unhide(tool.description.slice(0, longest)), longest);
  // An agent describes a purpose for each of its skills.
  const parts = tool.name.startsWith(agentPrefix) ? description.split(/\n- /) : [description];
  return parts.map(dropPurpose);
}

/** A system prompt without our headings and without the purposes of its functions: neither is an instruction. */
function dropSystemHeadings(system: string): string {
  const [before = '', ...functions] = system.split(functionsHeading);
  return [before.replace(/^Instructions of server ".*":$/gm, ''), ...functions.map(dropPurposes)].join('\n\n');
}

function dropPurposes(lines: string): string {
  return lines.replace(/^- [^\s:]+: (.*)$/gm, (_, description: string) => dropPurpose(description));
}

/** Drops the first sentence, which states the purpose, unless it gives an instruction. */
function dropPurpose(description: string): string {
  const first = findFirstSentence(description);
  return /\b(?:must|always|before|important|you|required|instruct)/i.test(first) && isInstruction(first)
    ? description
    : description.slice(description.indexOf(first) + first.length);
}

/** Reads every string of a schema: names and defaults can contain instructions, as descriptions can. */
function collectSchemaTexts(schema: Value, depth: number): readonly string[] {
  if (typeof schema === 'string') return schema.includes(' ') ? [schema] : [];
  if (depth > 8 || typeof schema !== 'object' || schema === null) return [];
  const inner = isValueMap(schema) ? Object.values(schema) : (schema as readonly Value[]);
  return inner.flatMap((value) => collectSchemaTexts(value, depth + 1));
}
