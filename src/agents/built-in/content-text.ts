import { isValueMap, type Value } from '../../format/model/value.ts';

// The most characters of one answer that a conversation keeps, because a server may answer with megabytes.
const longest = 128 * 1024;

/** The text that a model reads of a tool's result, a resource or a prompt. */
export function formatContent(content: Value | undefined): string {
  const blocks = Array.isArray(content) ? (content as readonly Value[]) : content === undefined ? [] : [content];
  return shortenContent(blocks.map(formatBlock).join('\n'));
}

export function shortenContent(text: string, length = longest): string {
  return text.length <= length ? text : `${text.slice(0, length)}…`;
}

function formatBlock(block: Value): string {
  if (typeof block === 'string') return block;
  if (!isValueMap(block)) return JSON.stringify(block);
  if (typeof block.text === 'string') return block.text;
  if (isValueMap(block.resource)) return formatBlock(block.resource);
  const place = typeof block.uri === 'string' ? ` ${block.uri}` : '';
  const words = [block.title ?? block.name, block.description].filter((text) => typeof text === 'string');
  const about = words.length === 0 ? '' : ` ${words.join(': ')}`;
  return `[${typeof block.type === 'string' ? block.type : 'binary'}${place}]${about}`;
}

/** The text and the structured value of a result; the value is left out if the text says the same. */
export function formatResult(content: Value | undefined, structured: Value | undefined): string {
  const text = formatContent(content);
  if (structured === undefined) return text;
  const value = JSON.stringify(structured);
  return shortenContent(isSame(text, value) ? text : [text, value].filter((part) => part !== '').join('\n'));
}

function isSame(text: string, value: string): boolean {
  try {
    return JSON.stringify(JSON.parse(text)) === value;
  } catch {
    return false;
  }
}
