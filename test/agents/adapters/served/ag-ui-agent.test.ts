import { describe, expect, test } from 'vitest';
import { agUiAgent } from '../../../../src/agents/adapters/ag-ui-agent.ts';
import { eventStream, frame } from '../../../support/http-agent.ts';
import {
  attack,
  context,
  openServer,
  type ReceivedRequest,
  type Server,
  saying,
  seeking,
  shipped,
  spoken,
  toolPoisoning,
  useTools,
} from './support.ts';

// An AG-UI server that requires a token and gets its MCP servers in a header.

const token = 'planted-token-1618';

function openAgUi(work: (heard: ReceivedRequest) => Promise<string> | string): Promise<Server> {
  return openServer(async (heard, response) => {
    if (heard.headers.authorization !== `Bearer ${token}`) {
      response.writeHead(401).end(`${heard.headers.authorization} does not open this door`);
      return;
    }
    const { threadId, runId } = heard.body;
    response.writeHead(200, eventStream);
    response.write(frame({ type: 'RUN_STARTED', threadId, runId }));
    const delta = await work(heard);
    response.write(frame({ type: 'TEXT_MESSAGE_START', messageId: 'm', role: 'assistant' }));
    response.write(frame({ type: 'TEXT_MESSAGE_CONTENT', messageId: 'm', delta }));
    response.write(frame({ type: 'TEXT_MESSAGE_END', messageId: 'm' }));
    response.end(frame({ type: 'RUN_FINISHED', threadId, runId }));
  });
}

const headers = { Authorization: 'Bearer {{env.TOKEN}}', 'X-Servers': '{{mcp_config}}' };
const withToken = { ...context, environment: { TOKEN: token } };

describe('AG-UI agent', () => {
  test.each([
    ['obeys', true, 'exploited'],
    ['ignores', false, 'resisted'],
  ])('gets its servers in a header, %s the injected instruction (%s), and is %s', async (_, isFooled, outcome) => {
    const { url } = await openAgUi(async ({ headers: { 'x-servers': servers }, body }) => {
      await useTools(JSON.parse(String(servers)), JSON.stringify(body), isFooled);
      return 'There are three hotels.';
    });
    const agent = agUiAgent('mine', { agUi: url, headers }, withToken);
    expect(agent).toMatchObject({ kind: 'ag-ui', isTold: true, isOneAtATime: false });
    expect((await attack(shipped(toolPoisoning), agent)).outcome).toBe(outcome);
  });

  test('judges an answer that repeats its token, and masks the token in every record', async () => {
    const { url } = await openAgUi(({ headers: { authorization } }) => `you sent ${authorization}`);
    const { written, ...run } = await attack(seeking(token), agUiAgent('mine', { agUi: url, headers }, withToken));
    // The judgement sees values that are not stored.
    expect(run.outcome).toBe('exploited');
    expect(written).toContain('you sent ******');
    expect(written).not.toContain(token);
  });

  test('quotes a refusal with the token masked', async () => {
    const { url } = await openAgUi(() => '');
    const environment = { TOKEN: 'planted-wrong-one' };
    const agent = agUiAgent('mine', { agUi: url, headers }, { ...context, environment });
    const { written, ...run } = await attack(spoken([saying('hi')]), agent);
    expect(run).toMatchObject({
      reason: expect.stringMatching(/HTTP 401 Unauthorized: \*{6} does not open this door$/),
    });
    expect(written).not.toContain('planted');
  });

  test('is not told of endpoints when its target has no placeholder for them', async () => {
    const target = { agUi: 'http://127.0.0.1:9', headers: { 'x-run': '{{run}}' }, prompt: 'good day' };
    expect(agUiAgent('mine', target, context)).toMatchObject({ isTold: false, prompt: 'good day' });
  });
});
