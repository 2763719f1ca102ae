import type { ChatMessage } from './chat-message.ts';
import type { SubmittedMessage } from './read-run-input.ts';

const maxThreads = 64;
const maxMessages = 10_000;
const maxKnown = 50_000;
const maxCharacters = 32 * 1024 * 1024;

/** One conversation. Its runs are played one after the other, because each continues where the one before ended. */
export class Thread {
  readonly #messages: ChatMessage[] = [];
  /** The text known under each message id; undefined for ids of our own events. */
  readonly #known = new Map<string, string | undefined>();
  /** The texts that a client without ids would repeat, in order. */
  #visible: string[] = [];
  #characters = 0;
  #turn: Promise<unknown> = Promise.resolve();

  get messages(): readonly ChatMessage[] {
    return this.#messages;
  }

  /** Adds the messages that are new: clients send the whole history again with every run, with ids or without. */
  merge(submitted: readonly SubmittedMessage[]): void {
    const before = [...this.#visible];
    let place = 0;
    for (const [index, { id, message }] of submitted.entries()) {
      const isLast = index === submitted.length - 1;
      const visible = formatVisibleText(message);
      // A user message at the end is always new, even if it repeats an earlier one.
      const isSame = visible !== undefined && before[place] === visible && !(isLast && message.role === 'user');
      if (visible !== undefined) place += 1;
      const isKnown = id === undefined ? isSame || this.#isKnownCall(message) : this.#isKnownAs(id, message);
      if (!isKnown) this.add(message, id);
    }
  }

  /** A known id with a different text is a new message. */
  #isKnownAs(id: string, message: ChatMessage): boolean {
    return this.#known.has(id) && [undefined, formatMessageKey(message)].includes(this.#known.get(id));
  }

  /** Calls and their results are recognized by their own ids. */
  #isKnownCall(message: ChatMessage): boolean {
    if (message.role === 'tool')
      return this.#messages.some((one) => one.role === 'tool' && one.toolCallId === message.toolCallId);
    if (message.role !== 'assistant' || message.toolCalls === undefined) return false;
    return message.toolCalls.every(({ id }) => this.#known.has(id));
  }

  add(message: ChatMessage, id?: string): void {
    this.#messages.push(message);
    this.#characters += message.content.length;
    if (id !== undefined) this.#known.set(id, formatMessageKey(message));
    const visible = formatVisibleText(message);
    if (visible !== undefined) this.#visible.push(visible);
    this.#forget();
  }

  /** Records an id that our own events have sent to the client. */
  know(id: string): void {
    this.#known.set(id, undefined);
  }

  /** Runs `work` after every earlier run of the conversation has ended. */
  async inTurn<T>(work: () => Promise<T>): Promise<T> {
    const before = this.#turn;
    const mine = before.then(work, work);
    this.#turn = mine.catch(() => {});
    return mine;
  }

  #forget(): void {
    while (this.#messages.length > maxMessages || (this.#characters > maxCharacters && this.#messages.length > 1))
      this.#characters -= this.#messages.shift()?.content.length ?? 0;
    for (const id of this.#known.keys()) {
      if (this.#known.size <= maxKnown) break;
      this.#known.delete(id);
    }
    if (this.#visible.length > maxMessages) this.#visible = this.#visible.slice(-maxMessages);
  }
}

function formatMessageKey({ role, content }: ChatMessage): string {
  return `${role} ${content}`;
}

function formatVisibleText({ role, content }: ChatMessage): string | undefined {
  return role === 'tool' || content === '' ? undefined : `${role} ${content}`;
}

/** The conversations of one agent; the least recently used one is forgotten first. */
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
