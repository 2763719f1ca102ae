import type { Io } from '../io.ts';

export interface AnswerLines {
  /** The next line; undefined when the input has ended. */
  next(): Promise<string | undefined>;
  end(): Promise<void>;
}

/** A longer line is not an answer. */
const longest = 64 * 1024;

export function readAnswerLines({ stdin }: Pick<Io, 'stdin'>): AnswerLines {
  const chunks = stdin.chunks()[Symbol.asyncIterator]();
  const decoder = new TextDecoder();
  let pending = '';
  let isOver = false;
  return {
    async next() {
      while (!isOver && !pending.includes('\n') && pending.length < longest) {
        const { value, done } = await chunks.next();
        isOver = done === true;
        pending += isOver ? decoder.decode() : decoder.decode(value, { stream: true });
      }
      if (pending === '') return undefined;
      const at = pending.indexOf('\n');
      const line = at < 0 ? pending : pending.slice(0, at);
      pending = at < 0 ? '' : pending.slice(at + 1);
      return line.trim();
    },
    async end() {
      await chunks.return?.();
    },
  };
}

const mostTries = 3;

/** Asks until the answer can be read, up to a number of tries; undefined if the user does not answer. */
export async function askUntilRead<T extends object>(
  { stderr }: Pick<Io, 'stderr'>,
  answers: AnswerLines,
  question: string,
  read: (answer: string) => T | { readonly problem: string },
): Promise<T | undefined> {
  for (let tries = 0; tries < mostTries; tries++) {
    await stderr.write(`${stderr.colours.bold(question)}: `);
    const answer = await answers.next();
    if (answer === undefined) return undefined;
    const value = read(answer);
    if (!('problem' in value)) return value as T;
    await stderr.write(`  ${stderr.colours.yellow(value.problem)}\n`);
  }
  return undefined;
}
