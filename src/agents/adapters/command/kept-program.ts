import type { CommandPeer as Launchable } from '../../../attack/transport/mcp-client/mcp-client-options.ts';
import { LineReader } from '../../../attack/transport/mcp-server/stdio/line-reader.ts';
import type { EchoCover } from '../../../secrets/echo-cover.ts';
import type { TurnAnswer } from '../prompt-agent.ts';
import {
  answerTooLong,
  decodeOutput,
  describeUnreadableLine,
  mostLines,
  notText,
  readCommandAnswer,
} from './command-answer.ts';
import type { CommandSettings } from './command-settings.ts';
import { quoteBeginning } from './plain-text.ts';
import { SupervisedProgram } from './supervised-program.ts';

/** How long the program may keep running after its input was closed. */
const lastWordsMs = 3_000;

export interface KeptOptions {
  readonly settings: CommandSettings;
  readonly mask: EchoCover;
  readonly deadline: number;
}

/** One process for all turns of a conversation: each turn is a line of input, and a line of output answers it. */
export class KeptProgram {
  readonly #settings: CommandSettings;
  readonly #mask: EchoCover;
  readonly #lines: LineReader;
  #program: SupervisedProgram | undefined;
  /** The texts that it has written since the last turn was answered. */
  #heard: string[] = [];
  #problem: string | undefined;
  /** The number of lines since the turn began. */
  #read = 0;
  #moment: 'before all turns' | 'asked' | 'answered' | 'between turns' = 'before all turns';
  #answered: () => void = () => {};
  #turns: Promise<unknown> = Promise.resolve();
  #missed: string | undefined;

  private constructor({ settings, mask }: KeptOptions) {
    this.#settings = settings;
    this.#mask = mask;
    const { outputBytes } = settings;
    this.#lines = new LineReader({ lineBytes: outputBytes, recordedBytes: outputBytes });
  }

  static async launch(target: Launchable, options: KeptOptions): Promise<KeptProgram> {
    const { settings: limits, mask, deadline } = options;
    const kept = new KeptProgram(options);
    const output = (chunk: Buffer): void => kept.#take(chunk);
    kept.#program = await SupervisedProgram.launch(target, { limits, mask, deadline, output });
    return kept;
  }

  get program(): SupervisedProgram | undefined {
    return this.#program;
  }

  /** Why its answers may be incomplete, such as output that came after an answer. */
  get missed(): string | undefined {
    return this.#missed;
  }

  /** Turns run one after the other. */
  async turn(line: string, signal: AbortSignal): Promise<TurnAnswer> {
    const mine = this.#turns.then(() => this.#ask(line, signal));
    this.#turns = mine.catch(() => {});
    return mine;
  }

  /** Waits for the last output of the program, within limits, and ends it with all its processes. */
  async stop(): Promise<void> {
    const program = this.#program;
    if (program === undefined) return;
    const hasEnded = program.hasEnded || (await program.endsWithin(lastWordsMs));
    if (hasEnded) await program.leave();
    await program.stop();
    this.#hear(this.#lines.rest()?.bytes);
    this.#missed ??= hasEnded
      ? (program.failure ?? this.#problem)
      : 'it did not end when its input was closed, so it may have had more to say';
  }

  async #ask(line: string, signal: AbortSignal): Promise<TurnAnswer> {
    const program = this.#program;
    if (program?.isCut) return { text: '', failure: program.failure, isCut: true };
    if (program === undefined || program.hasEnded)
      throw new Error(program?.failure ?? 'the program ended before it was given every message');
    const endTurn = program.beginTurn(signal);
    this.#read = 0;
    this.#moment = 'asked';
    const answered = new Promise<void>((resolve) => {
      this.#answered = resolve;
    });
    program.write(`${line}\n`);
    await Promise.race([answered, program.over]);
    // Output that arrived together with the answer is part of it.
    await new Promise((resolve) => setImmediate(resolve));
    if (this.#moment === 'asked') {
      await program.leave();
      this.#hear(this.#lines.rest()?.bytes);
    }
    endTurn();
    const unanswered = this.#moment === 'asked' ? 'the program ended before it had answered' : undefined;
    this.#moment = 'between turns';
    const answer = {
      text: program.fit(this.#heard.join('\n')),
      failure: program.failure ?? unanswered ?? this.#problem,
      isCut: program.isCut,
    };
    this.#heard = [];
    this.#problem = undefined;
    return answer;
  }

  #take(chunk: Buffer): void {
    this.#lines.push(chunk);
    for (let line = this.#lines.next(); line !== undefined; line = this.#lines.next()) {
      this.#read += 1;
      if (this.#read > mostLines) break;
      this.#hear(line.bytes);
    }
    if (this.#read > mostLines) this.#program?.cutShort(`it wrote more than ${mostLines} lines`);
  }

  /**
   * Reads a line. Text between two turns is added to the next answer, but does not count as that answer: it may belong
   * to the turn before.
   */
  #hear(line: Buffer | undefined): void {
    const text = line === undefined ? undefined : this.#textOf(line);
    if (text === undefined || text === '') return;
    this.#heard.push(text);
    if (this.#moment === 'between turns')
      this.#missed ??= `it went on after its answer: ${quoteBeginning(this.#mask.text(text))}`;
    if (this.#moment !== 'asked') return;
    this.#moment = 'answered';
    this.#answered();
  }

  #textOf(line: Buffer): string | undefined {
    if (this.#settings.output === 'text') {
      const text = decodeOutput(line);
      if (text === undefined) this.#problem ??= notText;
      return text;
    }
    const read = readCommandAnswer(line, this.#settings);
    switch (read.kind) {
      case 'answer':
        return read.text;
      case 'unreadable':
        this.#problem ??= describeUnreadableLine(line, this.#mask.text);
        return undefined;
      case 'no answer':
        return undefined;
      case 'too long':
        this.#program?.cutShort(answerTooLong);
        return undefined;
    }
  }
}
