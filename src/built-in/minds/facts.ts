import { isValueMap, type Value } from '../../model/value.ts';
import type { OfferedTool } from '../model.ts';
import { isOrder } from './is-order.ts';
import { linesOf, splitLine } from './sentences.ts';
import { tidy } from './tidy.ts';
import { clearText } from './unhide.ts';

const longest = 16 * 1024;
const maxLines = 60;
// Signatures, hashes and similar codes are of no use to the user.
const codeRun = /(?<!\S)[A-Za-z\d+/=]{32,}(?!\S)/g;
const bareItem = /^(?:[-*•>#]+|\d{1,2}[.)])?$/;

/**
 * The facts of a text, line by line, without the orders in it. The rest of a line after an order belongs to the order,
 * and so does a list after an order that ends in a colon.
 */
export function factsIn(text: string, tools: readonly OfferedTool[]): readonly string[] {
  const clear = withoutMarkup(clearText(unpacked(text.slice(0, longest))));
  const facts: string[] = [];
  let isListed = false;
  for (const line of linesOf(tidy(clear, longest))) {
    if (line === '') isListed = false;
    if (isListed) continue;
    const sentences = splitLine(line);
    const order = sentences.findIndex((sentence) => isOrder(sentence, tools));
    const told = order === -1 ? sentences : sentences.slice(0, order);
    isListed = order !== -1 && (sentences.at(-1) ?? '').endsWith(':');
    const fact = told.join(' ').replace(codeRun, '').trim();
    if (!bareItem.test(fact)) facts.push(fact);
  }
  return facts.slice(0, maxLines);
}

function withoutMarkup(text: string): string {
  return text.replace(/<!--.*?(?:-->|$)/gs, '').replace(/<\/?[a-z][^<>\n]{0,200}>/gi, '');
}

/** Splits a value into its leaves, so that an order in one field does not hide the others. */
function unpacked(text: string): string {
  if (!/^\s*[[{]/.test(text)) return text;
  try {
    return leaves(JSON.parse(text) as Value, '', 0).join('\n\n');
  } catch {
    return text;
  }
}

function leaves(value: Value, name: string, depth: number): readonly string[] {
  const label = name === '' ? '' : `${name}: `;
  if (typeof value !== 'object' || value === null || depth > 8) return [`${label}${String(value)}`];
  if (isValueMap(value)) return Object.entries(value).flatMap(([key, item]) => leaves(item, key, depth + 1));
  return (value as readonly Value[]).flatMap((item) => leaves(item, name, depth + 1));
}
