import { parse } from 'yaml';
import { formatDocument } from '../../format/document/format.ts';
import { writeValue } from '../../format/document/write-value.ts';
import { isValueMap, type Value, type ValueMap } from '../../format/model/value.ts';
import { readPackageFile } from '../package-file.ts';
import { type DocumentChoice, goals, surfaces } from './choices.ts';

// A small working attack, made of parts that an author can change one by one: a user who asks for her events, a server
// that has them, and an injected instruction. Each surface is a template in templates/new.

/** A document with marks and a task, on which the built-in agents differ. */
export function makeDocument({ surface, goal, id, name }: DocumentChoice): string {
  const { protocol, says } = surfaces[surface];
  const words = {
    id,
    name,
    thread: id.toLowerCase(),
    surface: says,
    goal: goals[goal],
    // A2A agents have no tools, so a separate server has them.
    actor: protocol === 'a2a' ? 'desk' : 'calendar',
  };
  const wanted = fill(readTemplate('goals', goal), words) as ValueMap;
  const document = fill(readTemplate(surface), { ...words, ...wanted });
  const written = formatDocument(writeValue(document));
  return written.ok ? written.text : writeValue(document);
}

/** The expected results of the built-in agents. */
export function readFirstTests(): string {
  return readPackageFile('templates', 'new', 'tests.yaml');
}

function readTemplate(...path: readonly string[]): Value {
  return parse(readPackageFile('templates', 'new', `${path.join('/')}.yaml`));
}

/** Replaces `$word`: a text that is only this by the value, otherwise in the text. */
function fill(template: Value, words: ValueMap): Value {
  if (typeof template === 'string') {
    const whole = /^\$([a-z]+)$/.exec(template)?.[1];
    if (whole !== undefined) return words[whole] as Value;
    return template.replaceAll(/\$([a-z]+)/g, (_, word: string) => words[word] as string);
  }
  if (Array.isArray(template)) return template.map((item) => fill(item, words));
  if (!isValueMap(template)) return template;
  return Object.fromEntries(Object.entries(template).map(([key, value]) => [key, fill(value, words)]));
}
