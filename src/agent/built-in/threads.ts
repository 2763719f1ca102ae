import type { ChatMessage } from './model.ts';
import type { SubmittedMessage } from './run-input.ts';

const maxThreads = 64;
const maxMessages = 500;
const maxCharacters = 2 * 1024 * 1024;

/** One conversation. Its runs follow one another, since each goes on where the one before has ended. */
export class Thread {
  readonly #messages: ChatMessage[] = [];
  readonly #known = new Set<string>();
  /** Where each message that has no id stands in what the client has submitted. */
  #visible: string[] = [];
  #turn: Promise<unknown> = Promise.resolve();

  get messages(): readonly ChatMessage[] {
    return this.#messages;
  }

  /** Clients send the history again with every run, with ids or without. */
  merge(submitted: readonly SubmittedMessage[]): void {
    const before = [...this.#visible];
    for (const [index, { id, message }] of submitted.entries()) {
      const key = `${message.role} ${message.content}`;
      const isLast = index === submitted.length - 1;
      // A user who says the same again means it again.
      const isKnown =
        id === undefined
          ? before[index] === key && !(isLast && message.role === 'user')
          : this.#known.has(id);
      if (!isKnown) this.add(message, id);
    }
  }

  add(message: ChatMessage, id?: string): void {
    this.#messages.push(message);
    if (id !== undefined) this.#known.add(id);
    if (message.role !== 'tool' && message.content !== '')
      this.#visible.push(`${message.role} ${message.content}`);
    this.#forget();
  }

  /** Of ids that our own events have given to the client. */
  know(id: string): void {
    this.#known.add(id);
  }

  /** Runs `work` when every run before it has ended. */
  async inTurn<T>(work: () => Promise<T>): Promise<T> {
    const before = this.#turn;
    const mine = before.then(work, work);
    this.#turn = mine.catch(() => {});
    return mine;
  }

  #forget(): void {
    let characters = this.#messages.reduce((sum, { content }) => sum + content.length, 0);
    while (this.#messages.length > maxMessages || (characters > maxCharacters && this.#messages.length > 1))
      characters -= this.#messages.shift()?.content.length ?? 0;
    if (this.#visible.length > maxMessages) this.#visible = this.#visible.slice(-maxMessages);
  }
}

/** The conversations of one agent; the one that was silent longest is forgotten first. */
export class Threads {
  readonly #threads = new Map<string, Thread>();

  get(id: string): Thread {
    const thread = this.#threads.get(id) ?? new Thread();
    this.#threads.delete(id);
    this.#threads.set(id, thread);
    const [oldest] = this.#threads.keys();
    if (this.#threads.size > maxThreads && oldest !== undefined) this.#threads.delete(oldest);
    return thread;
  }
}
