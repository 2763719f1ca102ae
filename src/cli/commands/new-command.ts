import { existsSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';
import { parse } from 'yaml';
import { formatDocument } from '../../format/document/format.ts';
import { writeValue } from '../../format/document/write-yaml.ts';
import { escapeInvisible } from '../../format/model/escape-invisible.ts';
import { isValueMap, type Value, type ValueMap } from '../../format/model/value.ts';
import { patterns } from '../../format/registry/fields.ts';
import { makeFolder } from '../../suite/play/make-folder.ts';
import { type CommandOutcome, ok } from '../command-outcome.ts';
import type { Arguments, Command } from '../commands.ts';
import { type AnswerLines, askUntilRead, readAnswerLines } from '../init/ask-user.ts';
import { readSurroundings } from '../init/config-text.ts';
import { complain, createRefusal, type Io } from '../io.ts';
import {
  type DocumentChoice,
  type Goal,
  goalChoices,
  goals,
  type SurfaceChoice,
  surfaceChoices,
  surfaces,
} from '../new/choices.ts';
import { readPackageFile } from '../package-file.ts';
import { formatSchemaComment } from '../schema-comment.ts';
import { writeWhole } from '../write-whole.ts';

export const runNewCommand: Command<'new'> = async (values, io) => {
  const refuse = createRefusal('new', io);
  const { file, id } = values;
  if (!/\.ya?ml$/i.test(file) || /\.test\.ya?ml$/i.test(file))
    return refuse(`"${file}" is not a file name for a document`, 'such as attacks/calendar.yaml');
  if (!new RegExp(patterns.attackId).test(id)) return refuse(`--id: "${id}" is not an id`, 'such as MINE-001');
  const path = resolve(io.cwd, file);
  const tests = path.replace(/(\.ya?ml)$/i, '.test$1');
  for (const each of [path, tests])
    if (existsSync(each)) return refuse(`${relative(io.cwd, each)} already exists`, 'name another file');
  const chosen = await choose(values, io);
  if ('exit' in chosen) return chosen;
  const { surface, goal } = chosen;
  const { installed } = readSurroundings(dirname(path));
  const comment = installed === undefined ? '' : formatSchemaComment(`${installed}/dist/schema.json`);
  const name = values.name ?? `An order in ${surfaces[surface].says}`;
  const text = `${comment}${makeDocument({ surface, goal, id, name })}`;
  makeFolder(dirname(path));
  for (const [to, what] of [
    [path, text],
    [tests, readFirstTests()],
  ] as const) {
    const failure = writeWhole(to, what);
    const shown = escapeInvisible(relative(io.cwd, to));
    if (failure !== undefined) return complain(io, 'unavailable', `${shown}: cannot be written: ${failure}`);
    await io.stdout.write(`wrote ${shown}\n`);
  }
  await io.stderr.write(
    `oatf: oatf explain ${escapeInvisible(file)} says what it does; oatf test ${escapeInvisible(file)} tries it\n`,
  );
  return ok;
};

async function choose(
  values: Arguments<'new'>,
  io: Io,
): Promise<{ readonly surface: SurfaceChoice; readonly goal: Goal } | CommandOutcome> {
  const fitting = surfaceChoices.filter(
    (surface) => values.protocol === undefined || surfaces[surface].protocol === values.protocol,
  );
  if (values.surface !== undefined && !fitting.includes(values.surface))
    return complain(io, 'usage', `new: ${values.protocol} has no ${values.surface}`, `it has ${fitting.join(', ')}`);
  // A terminal can be opened only once; it is released after the last question.
  const answers = io.stdin.isTTY ? readAnswerLines(io) : undefined;
  try {
    const surface =
      values.surface ?? (await pick('Where is the order?', fitting, (each) => surfaces[each].says, io, answers));
    if (surface === undefined) return complain(io, 'usage', ...noAnswer);
    const goal = values.goal ?? (await pick('What is it after?', goalChoices, (each) => goals[each], io, answers));
    return goal === undefined ? complain(io, 'usage', ...noAnswer) : { surface, goal };
  } finally {
    await answers?.end();
  }
}

const noAnswer = [
  'new: there was no answer; nothing was written',
  'give the answers with --surface and --goal',
] as const;

/** Asks the user for a choice. Without a terminal, the first choice is taken. */
async function pick<T extends string>(
  question: string,
  from: readonly T[],
  says: (choice: T) => string,
  io: Io,
  answers: AnswerLines | undefined,
): Promise<T | undefined> {
  if (answers === undefined) return from[0];
  const lines = from.map((choice, index) => `  ${index + 1}  ${choice}: ${says(choice)}\n`);
  await io.stderr.write(`${question}\n${lines.join('')}`);
  const picked = await askUntilRead(io, answers, 'A number [1]', (answer) => {
    const choice = from[Number(answer === '' ? 1 : answer) - 1] ?? from.find((each) => each === answer);
    return choice === undefined ? { problem: `a number from 1 to ${from.length}` } : { choice };
  });
  return picked?.choice;
}

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
