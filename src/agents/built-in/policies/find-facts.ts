import { isValueMap, type Value } from '../../../format/model/value.ts';
import type { OfferedTool } from '../model.ts';
import { isInjectedInstruction } from './is-injected-instruction.ts';
import { splitLine, tidy, unwrapLines } from './sentences.ts';
import { normalizeLookAlikes } from './unhide.ts';

const longest = 16 * 1024;
const maxLines = 60;
// Signatures, hashes and similar codes are of no use to the user.
const codeRun = /(?<!\S)[A-Za-z\d+/=]{32,}(?!\S)/g;
const bareItem = /^(?:[-*•>#]+|\d{1,2}[.)])?$/;

/**
 * The facts of a text, line by line, without the instructions in it. The rest of a line after an instruction belongs to
 * it, and so does a list after an instruction that ends in a colon.
 */
export function findFacts(text: string, tools: readonly OfferedTool[]): readonly string[] {
  const clear = dropMarkup(normalizeLookAlikes(unpackJson(text.slice(0, longest))));
  const facts: string[] = [];
  let isListed = false;
  for (const line of unwrapLines(tidy(clear, longest))) {
    if (line === '') isListed = false;
    if (isListed) continue;
    const sentences = splitLine(line);
    const instruction = sentences.findIndex((sentence) => isInjectedInstruction(sentence, tools));
    const kept = instruction === -1 ? sentences : sentences.slice(0, instruction);
    isListed = instruction !== -1 && (sentences.at(-1) ?? '').endsWith(':');
    const fact = kept.join(' ').replace(codeRun, '').trim();
    if (!bareItem.test(fact)) facts.push(fact);
  }
  return facts.slice(0, maxLines);
}

function dropMarkup(text: string): string {
  return text.replace(/<!--.*?(?:-->|$)/gs, '').replace(/<\/?[a-z][^<>\n]{0,200}>/gi, '');
}

/** Splits a value into its leaves, so that an instruction in one field does not hide the others. */
function unpackJson(text: string): string {
  if (!/^\s*[[{]/.test(text)) return text;
  try {
    return formatJsonLeaves(JSON.parse(text) as Value, '', 0).join('\n\n');
  } catch {
    return text;
  }
}

function formatJsonLeaves(value: Value, name: string, depth: number): readonly string[] {
  const label = name === '' ? '' : `${name}: `;
  if (typeof value !== 'object' || value === null || depth > 8) return [`${label}${String(value)}`];
  if (isValueMap(value)) return Object.entries(value).flatMap(([key, item]) => formatJsonLeaves(item, key, depth + 1));
  return (value as readonly Value[]).flatMap((item) => formatJsonLeaves(item, name, depth + 1));
}
