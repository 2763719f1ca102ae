import type { Echo } from '../../format/model/binding-views.ts';
import type { Path } from '../../format/model/path.ts';
import type { MessageRecord } from '../../format/model/trace-record.ts';
import { isValueMap, toMaps, type Value } from '../../format/model/value.ts';
import { createOwnTexts, type SplitText } from './own-texts.ts';
import { createRecentTexts } from './recent-texts.ts';

// Our answers as a server. An agent that shows the results of its tools repeats them.

export interface ServedAnswers {
  add(record: MessageRecord): void;
  /** The places at which a tool result that the agent shows repeats our answers. `toolName` is not set if the tool is unknown. */
  findIn(result: Value, at: Path, toolName: string | undefined): readonly Echo[];
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

export function rememberAnswers(): ServedAnswers {
  const own = createOwnTexts();
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
  /** A host may show the beginning of a long result only. */
  const isPart = (text: string): boolean => text.length >= telling && own.some((each) => each.includes(text));
  return {
    add({ method, origin, kind, content }) {
      if (origin === 'agent') {
        if (method === 'tools/call' && isValueMap(content) && typeof content.name === 'string') tools.add(content.name);
      } else if (content !== last && (kind === 'response' || kind === 'event') && answers.has(method)) {
        last = content;
        own.add(content);
        // Hosts join the texts of a result.
        own.add(listTexts(content).join('\n'));
      }
    },
    findIn(result, at, name) {
      if (name === undefined) return own.findIn(result, at, (text) => own.split(text, { shortest: telling }));
      const all = (text: string): SplitText => ({ rest: '', ours: text });
      if (isServed(name))
        return own.findIn(result, at, (text) => own.split(text) ?? (isPart(text) ? all(text) : undefined));
      return own.findIn(result, at, (text) => (text.length >= telling && own.has(text) ? all(text) : undefined));
    },
  };
}

function listTexts(answer: Value): readonly string[] {
  const content = isValueMap(answer) ? answer.content : undefined;
  return toMaps(content).flatMap(({ text }) => (typeof text === 'string' ? text : []));
}
