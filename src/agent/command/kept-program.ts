import type { CommandTarget as Launchable } from '../../transport/json-rpc-client/options.ts';
import { LineReader } from '../../transport/stdio-server/line-reader.ts';
import type { Said } from '../prompt-voice.ts';
import { mostLines, readAnswer, unreadableLine } from './answers.ts';
import type { Mask } from './mask.ts';
import { plainText } from './plain-text.ts';
import type { CommandSettings } from './settings.ts';
import { SupervisedProgram } from './supervised-program.ts';

/** One process for all turns of a conversation: a line for each turn, and a line that answers it. */
export class KeptProgram {
  readonly #settings: CommandSettings;
  readonly #mask: Mask;
  readonly #lines: LineReader;
  #program: SupervisedProgram | undefined;
  /** What it has said since the last turn was answered. */
  #heard: string[] = [];
  #problem: string | undefined;
  /** Lines since a turn was begun. */
  #read = 0;
  #answered: (() => void) | undefined;
  #turns: Promise<unknown> = Promise.resolve();

  private constructor(settings: CommandSettings, mask: Mask) {
    this.#settings = settings;
    this.#mask = mask;
    const { outputBytes } = settings;
    this.#lines = new LineReader({ lineBytes: outputBytes, recordedBytes: outputBytes });
  }

  static async launch(target: Launchable, settings: CommandSettings, mask: Mask): Promise<KeptProgram> {
    const kept = new KeptProgram(settings, mask);
    kept.#program = await SupervisedProgram.launch(target, {
      limits: settings,
      mask,
      output: (chunk) => kept.#take(chunk),
    });
    return kept;
  }

  get program(): SupervisedProgram | undefined {
    return this.#program;
  }

  /** Turns follow one another. */
  async turn(line: string, signal: AbortSignal): Promise<Said> {
    const mine = this.#turns.then(() => this.#turn(line, signal));
    this.#turns = mine.catch(() => {});
    return mine;
  }

  async stop(): Promise<void> {
    await this.#program?.stop('polite');
  }

  async #turn(line: string, signal: AbortSignal): Promise<Said> {
    const program = this.#program;
    if (program === undefined || program.hasEnded)
      throw new Error(program?.failure ?? 'the program ended before all was said to it');
    const endTurn = program.beginTurn(signal);
    this.#read = 0;
    const answered = new Promise<void>((resolve) => {
      this.#answered = resolve;
    });
    program.write(`${line}\n`);
    await Promise.race([answered, program.over]);
    endTurn();
    if (this.#answered !== undefined) {
      await program.stop('at once');
      this.#hear(this.#lines.rest()?.bytes);
    }
    const unanswered = this.#answered === undefined ? undefined : 'the program ended before it had answered';
    this.#answered = undefined;
    const said = {
      text: program.fit(this.#heard.join('\n')),
      failure: program.failure ?? unanswered ?? this.#problem,
    };
    this.#heard = [];
    this.#problem = undefined;
    return said;
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

  /** What comes between two turns is heard with the next answer, and is not it. */
  #hear(line: Buffer | undefined): void {
    const text = line === undefined ? undefined : this.#textOf(line);
    if (text === undefined || text === '') return;
    this.#heard.push(text);
    this.#answered?.();
    this.#answered = undefined;
  }

  #textOf(line: Buffer): string | undefined {
    if (this.#settings.output === 'text') return plainText(line.toString('utf8')).trim();
    const read = readAnswer(line, this.#settings);
    if ('text' in read) return read.text;
    if (read.kind === 'unreadable') this.#problem ??= unreadableLine(line, this.#mask.text);
    return undefined;
  }
}
