import { isValueMap, type Value } from '../../model/value.ts';

// A server may answer with megabytes; what a conversation keeps of one answer is bounded.
const longest = 128 * 1024;

/** What a model reads of a tool's result, a resource or a prompt. */
export function contentText(content: Value | undefined): string {
  const blocks = Array.isArray(content)
    ? (content as readonly Value[])
    : content === undefined
      ? []
      : [content];
  return shorten(blocks.map(blockText).join('\n'));
}

export function shorten(text: string, length = longest): string {
  return text.length <= length ? text : `${text.slice(0, length)}…`;
}

function blockText(block: Value): string {
  if (typeof block === 'string') return block;
  if (!isValueMap(block)) return JSON.stringify(block);
  if (typeof block.text === 'string') return block.text;
  if (isValueMap(block.resource)) return blockText(block.resource);
  const place = typeof block.uri === 'string' ? ` ${block.uri}` : '';
  return `[${typeof block.type === 'string' ? block.type : 'binary'}${place}]`;
}
