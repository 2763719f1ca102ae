import { isValueMap, type Value, type ValueMap } from '../../../format/model/value.ts';
import { mcp2026, mcp2026Error, metaKey } from '../../../format/registry/mcp-2026.ts';
import type { Answer, Incoming } from '../../engine/actor-messages.ts';
import type { Sent } from '../../engine/ports.ts';
import type { McpReceive } from './mcp-client-options.ts';

/** The actor's handshake: its key and its params. */
export interface Handshake {
  readonly ask: string;
  readonly params: Value | undefined;
  readonly sent: Sent;
}

export interface OpeningOptions {
  readonly era: SpokenEra;
  /** Whether the document writes the version of the handshake. */
  readonly isVersionWritten: boolean;
  /** How long a server has to answer `server/discover`. */
  readonly probeMs: number;
  readonly receive: McpReceive;
  discover(handshake: Handshake, sent: Sent): void;
  shakeHands(handshake: Handshake): void;
  /** Called when the server speaks 2026-07-28 or later, with its capabilities. */
  discovered(capabilities: Value): void;
}

type AnswerMessage = Extract<Incoming, { kind: 'answer' }>;
type EndMessage = Extract<Incoming, { kind: 'end' }>;

/** Finds out which era a server speaks. The actor sees a handshake in either case. */
export class EraOpening {
  readonly #options: OpeningOptions;
  #version: string = mcp2026;
  #handshake: Handshake | undefined;
  #refusal: Incoming | undefined;
  #probe: NodeJS.Timeout | undefined;
  #hasRetried = false;
  #isShaking = false;

  constructor(options: OpeningOptions) {
    this.#options = options;
  }

  /** The version that requests without a session name. */
  get version(): string {
    return this.#version;
  }

  /** Whether the era of the server is still unknown. */
  get isProbing(): boolean {
    return this.#probe !== undefined;
  }

  begin(handshake: Handshake): void {
    const { params, sent } = handshake;
    const written = isValueMap(params) ? params.protocolVersion : undefined;
    const { how, version } = planMcpOpening(this.#options, written);
    this.#version = version;
    this.#handshake = handshake;
    if (how === 'handshake') this.#options.shakeHands(handshake);
    else if (how === 'discover') this.#options.discover(handshake, reportEra2026(sent));
    else {
      this.#probe = setTimeout(() => this.#fallBack('it does not answer'), this.#options.probeMs);
      this.#options.discover(handshake, () => {});
    }
  }

  /** Takes the answer to the actor's own handshake, and tells whether the actor should get it. */
  hearHandshake(message: AnswerMessage): boolean {
    const isRefused = this.#options.era !== 'legacy' && isRefusedHandshake(message.answer);
    if (!isRefused || this.#refusal !== undefined || this.#handshake === undefined) return true;
    // A server is asked `server/discover` only once after a refused handshake.
    this.#refusal = message;
    this.#options.discover(this.#handshake, () => {});
    return false;
  }

  isOf(ask: string): boolean {
    return ask === this.#handshake?.ask;
  }

  /** Takes the answer to `server/discover` in place of the answer to the handshake. */
  hearDiscovered(message: AnswerMessage): void {
    const handshake = this.#handshake;
    if (handshake === undefined) return;
    const { answer, session } = message;
    // The handshake has been sent, and after it a program speaks the era of the handshake.
    if (this.#isShaking && this.#refusal === undefined) {
      const text = 'it has answered server/discover too late: the handshake stands';
      this.#options.receive({ kind: 'log', session, level: 'info', message: text });
      return;
    }
    const retried = findVersionToRetry(answer, this.#version);
    if (retried !== undefined && !this.#hasRetried) {
      this.#hasRetried = true;
      this.#version = retried;
      this.#options.discover(handshake, () => {});
    } else if (isDiscovered(answer, this.#version)) this.#settle(handshake, message);
    else if (this.isProbing) this.#fallBack(formatOpeningAnswer(answer));
    else this.#options.receive(this.#refusal ?? { ...message, ask: handshake.ask });
  }

  /** Called when no answer to `server/discover` will come. */
  hearEnd(message: EndMessage): void {
    const handshake = this.#handshake;
    if (handshake === undefined) return;
    if (this.isProbing) this.#fallBack(message.reason ?? 'no answer came');
    else if (this.#isShaking && this.#refusal === undefined) return;
    else this.#options.receive(this.#refusal ?? { ...message, ask: handshake.ask });
  }

  close(): void {
    clearTimeout(this.#probe);
    this.#probe = undefined;
  }

  #settle({ ask, sent }: Handshake, message: AnswerMessage): void {
    const { receive, discovered } = this.#options;
    const { session, answer } = message;
    const found: ValueMap = answer.kind === 'result' && isValueMap(answer.result) ? answer.result : {};
    if (this.isProbing) reportEra2026(sent)(session);
    this.close();
    if (this.#refusal !== undefined) {
      const text = `it knows no handshake, so it is spoken to in MCP ${this.#version}`;
      receive({ kind: 'log', session, level: 'info', message: text });
    }
    const { capabilities = {}, instructions, _meta } = found;
    const serverInfo = isValueMap(_meta) ? _meta[metaKey.serverInfo] : undefined;
    const result = {
      protocolVersion: this.#version,
      capabilities,
      ...(serverInfo !== undefined && { serverInfo }),
      ...(instructions !== undefined && { instructions }),
    };
    discovered(capabilities);
    receive({ ...message, ask, answer: { kind: 'result', result }, era: mcp2026 });
  }

  #fallBack(why: string): void {
    if (this.#handshake === undefined) return;
    this.close();
    this.#isShaking = true;
    const message = `it does not know server/discover (${why}), so a handshake follows`;
    this.#options.receive({ kind: 'log', level: 'info', message });
    this.#options.shakeHands(this.#handshake);
  }
}

export function reportEra2026(sent: Sent): Sent {
  return (session, _era, wire, cut, performed) => sent(session, mcp2026, wire, cut, performed);
}

function formatOpeningAnswer(answer: Answer): string {
  if (answer.kind === 'result') return 'its answer names no version that has it';
  const { code = null, message = '' } = isValueMap(answer.error) ? answer.error : {};
  return `error ${String(code)}: ${String(message).slice(0, 200)}`;
}

// Chooses the era in which to speak to a server. It is unknown until the server is asked: `server/discover` is sent
// first, and any response other than an answer of 2026-07-28 or later leads to a handshake, as the specification says.

/** The era in which to speak to a server; `both` finds out which it speaks, and prefers the one without sessions. */
export type SpokenEra = 'legacy' | 'modern' | 'both';

interface OpeningPlan {
  /** `probe` sends `server/discover`, and goes on with a handshake if that fails. */
  readonly how: 'handshake' | 'discover' | 'probe';
  /** The version that requests without a session name. */
  readonly version: string;
}

/** The version that the binding names if the document names none. */
const usualVersion = '2025-11-25';

/** A document that writes a version gets what that version begins with; only one without a version is in doubt. */
function planMcpOpening(
  { era, isVersionWritten }: Pick<OpeningOptions, 'era' | 'isVersionWritten'>,
  named: Value | undefined,
): OpeningPlan {
  const isNamed = typeof named === 'string' && named !== '' && (isVersionWritten || named !== usualVersion);
  const version = isNamed ? named : mcp2026;
  if (era !== 'both') return { how: era === 'modern' ? 'discover' : 'handshake', version };
  if (!isNamed && !isVersionWritten) return { how: 'probe', version };
  const isModern = isNamed && /^\d{4}-\d\d-\d\d$/.test(named) && named >= mcp2026;
  return { how: isModern ? 'discover' : 'handshake', version };
}

/** Error codes of a server that knows no handshake. */
const knowsNoHandshake: ReadonlySet<unknown> = new Set([mcp2026Error.unsupportedVersion, -32601]);

function isRefusedHandshake(answer: Answer): boolean {
  return answer.kind === 'error' && isValueMap(answer.error) && knowsNoHandshake.has(answer.error.code);
}

/** The version without sessions in which a server wants to be asked again; a refusal may even name ours. */
function findVersionToRetry(answer: Answer, ours: string): string | undefined {
  const named = readServerVersions(answer) ?? [];
  if (named.includes(ours)) return answer.kind === 'error' ? ours : undefined;
  return named.find((each) => each >= mcp2026);
}

/** Tells whether an answer to `server/discover` is valid and offers a version that we speak. */
function isDiscovered(answer: Answer, ours: string): boolean {
  return (
    answer.kind === 'result' && (readServerVersions(answer) ?? []).some((each) => each >= mcp2026 || each === ours)
  );
}

function readServerVersions(answer: Answer): readonly string[] | undefined {
  if (answer.kind === 'result')
    return isValueMap(answer.result) ? readTexts(answer.result.supportedVersions) : undefined;
  if (!isValueMap(answer.error) || answer.error.code !== mcp2026Error.unsupportedVersion) return undefined;
  const { data } = answer.error;
  return isValueMap(data) ? readTexts(data.supported) : undefined;
}

function readTexts(list: Value | undefined): readonly string[] | undefined {
  return Array.isArray(list) ? list.filter((each): each is string => typeof each === 'string') : undefined;
}
