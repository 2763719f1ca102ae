import { parseJson } from '../../format/model/json-text-values.ts';
import type { MessageRecord } from '../../format/model/trace-record.ts';
import { isValueMap, type Value } from '../../format/model/value.ts';
import { createRecentTexts } from './recent-texts.ts';

// Our answers as a server. An agent that shows the results of its tools repeats them.

export interface ServedAnswers {
  add(record: MessageRecord): void;
  /** Whether a tool result that the agent shows is one of our answers. `toolName` is not set if the tool is unknown. */
  gave(result: Value, toolName: string | undefined): boolean;
}

const answers = new Set([
  'tools/call',
  'tasks/result',
  'resources/read',
  'prompts/get',
  'message/send',
  'message/stream',
  'tasks/get',
]);

/** Shorter texts may be equal by chance. */
const telling = 20;
/** Shorter texts are not searched for within longer ones. */
const findable = 8;
/** The most values that are searched for texts. */
const mostVisited = 10_000;

export function rememberAnswers(): ServedAnswers {
  const texts = createRecentTexts();
  const tools = createRecentTexts();
  /** The last answer. A document often gives the same one again, and its texts are remembered already. */
  let last: Value | undefined;
  const isServed = (name: string): boolean => {
    if (tools.has(name)) return true;
    // Hosts put the server's name before the tool's.
    for (const tool of tools.values())
      if (name.endsWith(tool) && /[^A-Za-z0-9]$/.test(name.slice(0, -tool.length))) return true;
    return false;
  };
  return {
    add({ method, origin, kind, content }) {
      if (origin === 'agent') {
        if (method === 'tools/call' && isValueMap(content) && typeof content.name === 'string') tools.add(content.name);
      } else if (content !== last && (kind === 'response' || kind === 'event') && answers.has(method)) {
        last = content;
        const found = collectResultTexts(content);
        for (const text of found) texts.add(text);
        texts.add(found.filter((text) => text.length >= findable).join('\n'));
      }
    },
    gave(result, name) {
      const readings = listReadings(result).filter((found) => found.length > 0);
      const isKnown = name !== undefined && isServed(name);
      for (const found of readings)
        if (found.every((text) => texts.has(text)))
          return isKnown || name === undefined || found.some(({ length }) => length >= telling);
      if (!isKnown) return false;
      const found = readings.flat();
      for (const text of texts.values())
        if (text.length >= findable && found.some((each) => each.includes(text) || isTellingPart(each, text)))
          return true;
      return false;
    },
  };
}

function isTellingPart(part: string, text: string): boolean {
  return part.length >= telling && text.includes(part);
}

/** The texts of a result: as it stands, and parsed if it is JSON. */
function listReadings(result: Value): readonly (readonly string[])[] {
  if (typeof result !== 'string') return [collectResultTexts(result)];
  const asItStands = result.trim() === '' ? [] : [result];
  if (!/^\s*[[{]/.test(result)) return [asItStands];
  try {
    return [asItStands, collectResultTexts(parseJson(result))];
  } catch {
    return [asItStands];
  }
}

function collectResultTexts(root: Value): readonly string[] {
  const texts: string[] = [];
  const pending: Value[] = [root];
  while (pending.length > 0) {
    const value = pending.pop() as Value;
    if (typeof value === 'string') {
      if (value.trim() !== '') texts.push(value);
    } else if (typeof value === 'object' && value !== null) {
      const items = Object.values(value);
      for (let index = items.length - 1; index >= 0 && pending.length < mostVisited; index--)
        pending.push(items[index] as Value);
    }
  }
  return texts;
}
