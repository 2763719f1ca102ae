import { isValueMap, type Value, type ValueMap } from '../../../format/model/value.ts';

/** A message in a few words, without its contents. */
export function summarizeContent(content: Value): string {
  if (typeof content === 'string') return content;
  if (!isValueMap(content)) return '';
  const { code, message, level } = content;
  if (typeof code === 'number') return `error ${code}: ${String(message ?? '')}`;
  if (typeof level === 'string' && typeof message === 'string') return `${level}: ${message}`;
  return findContentName(content) ?? summarizeLists(content);
}

const names = ['name', 'uri', 'reason', 'event', 'requestId', 'level'];
const parts = ['clientInfo', 'serverInfo', 'ref'];

function findContentName(content: ValueMap): string | undefined {
  for (const key of names) {
    const value = content[key];
    if (typeof value === 'string' || typeof value === 'number') return String(value);
  }
  for (const key of parts) {
    const part = content[key];
    if (isValueMap(part)) return [part.name, part.version].filter((each) => each !== undefined).join(' ');
  }
  return undefined;
}

function summarizeLists(content: ValueMap): string {
  return Object.entries(content)
    .flatMap(([key, list]) => (Array.isArray(list) ? [summarizeList(key, list)] : []))
    .join('; ');
}

function summarizeList(key: string, list: readonly Value[]): string {
  const items = list.flatMap((item) => {
    const word = isValueMap(item) ? (item.name ?? item.uri ?? item.type) : undefined;
    return typeof word === 'string' ? word : [];
  });
  if (items.length > 0) return `${key}: ${items.slice(0, 20).join(', ')}`;
  return list.length === 0 ? `no ${key}` : `${key}: ${list.length}`;
}
