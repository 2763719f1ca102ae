/**
 * `oatf/protocol`: what authors of protocols need. **Experimental**: these names change without a new major version.
 *
 * A binding says what messages mean; a transport moves them; a mode is both. Here `quiz_server` is a protocol of its own,
 * whose transport is a function call.
 *
 * ```ts
 * import { load, type Value } from 'oatf';
 * import type { Answer, Incoming, PlayableMode, ServerBinding, Transport } from 'oatf/protocol';
 * import { playDocument, systemClock } from 'oatf/runtime';
 *
 * const quizServer: ServerBinding = {
 *   mode: 'quiz_server',
 *   protocol: 'quiz',
 *   views: { protocol: 'quiz', pieces: () => [], activity: () => ({ alive: true }) },
 *   isNotification: () => false,
 *   plan: (_request, state) => ({
 *     steps: [],
 *     answer: () => ({ kind: 'result', result: (state as Value) ?? null }),
 *   }),
 * };
 *
 * let receive: (message: Incoming) => void = () => {};
 * let sessions = 1;
 * let reply: (answer: Answer) => void = () => {};
 * const transport: Transport = {
 *   open: async (listener) => {
 *     receive = listener;
 *     return { url: 'memory:' };
 *   },
 *   answer: (_exchange, answer, sent) => {
 *     sent();
 *     reply(answer);
 *   },
 *   notify: () => {},
 *   ask: () => {},
 *   openSessions: () => sessions,
 *   isConnected: () => sessions > 0,
 *   close: async () => {},
 * };
 * const quizMode: PlayableMode = { binding: quizServer, transport: () => transport };
 *
 * const loaded = load(`
 * oatf: "0.1"
 * attack:
 *   execution: { mode: quiz_server, state: { question: What is your password? } }
 *   indicators: [{ surface: say, target: text, pattern: { contains: hunter2 } }]
 * `);
 * if (!loaded.ok) throw new Error(loaded.errors.map(({ message }) => message).join('\n'));
 *
 * const { verdict } = await playDocument(loaded.document, {
 *   modes: [quizMode],
 *   clock: systemClock,
 *   limits: { graceMs: 0 },
 *   ready() {
 *     const session = 'player';
 *     receive({ kind: 'connection', session, event: 'opened' });
 *     reply = () => {
 *       sessions = 0;
 *       receive({ kind: 'connection', session, event: 'closed' });
 *     };
 *     const params = { text: 'It is hunter2.' };
 *     receive({ kind: 'request', session, exchange: 'x1', method: 'say', id: 1, params });
 *   },
 * });
 * console.log(verdict.result);
 * // prints: exploited
 * ```
 *
 * @packageDocumentation
 */

export { a2aClient } from './attack/bindings/a2a/a2a-client-binding.ts';
export { type A2aServerOptions, a2aServer } from './attack/bindings/a2a/a2a-server-binding.ts';
export { agUiClient } from './attack/bindings/ag-ui/ag-ui-client-binding.ts';
export { mcpClient } from './attack/bindings/mcp/mcp-client-binding.ts';
export { mcpServer } from './attack/bindings/mcp/mcp-server-binding.ts';
export type { ServedEra } from './attack/bindings/served-era.ts';
export type { Answer, Incoming, Recipient, Sending } from './attack/engine/actor-messages.ts';
export type {
  AnswerPlan,
  Binding,
  ClientBinding,
  PeerRequest,
  PlanContext,
  PlanStep,
  ServerBinding,
} from './attack/engine/binding.ts';
export type { Clock, Endpoint, Transport } from './attack/engine/ports.ts';
export type { PlayableMode } from './attack/engine/run-document.ts';
export { type A2aClientOptions, type A2aPeer, createA2aClient } from './attack/transport/a2a/a2a-client.ts';
export { type A2aServerTransportOptions, createA2aServer } from './attack/transport/a2a/a2a-server.ts';
export { type AgUiClientOptions, createAgUiClient } from './attack/transport/ag-ui-client/ag-ui-client.ts';
export type { Exposure } from './attack/transport/exposure/exposure.ts';
export type { HttpServerOptions } from './attack/transport/http-server/http-server-options.ts';
export {
  type CommandPeer,
  createMcpClient,
  type McpClientOptions,
  type McpPeer,
  type UrlPeer,
} from './attack/transport/mcp-client/mcp-client-transport.ts';
export { createMcpServer } from './attack/transport/mcp-server/streamable-http.ts';
export type { BindingViews, Piece, Projection, StreamView } from './format/model/binding-views.ts';
export type {
  A2aClientModeOptions,
  A2aServerModeOptions,
  AgUiClientModeOptions,
  McpClientModeOptions,
} from './suite/play/playable-modes.ts';
