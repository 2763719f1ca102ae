import { afterEach, describe, expect, test } from 'vitest';
import type { ServedAgent } from '../../../src/agents/adapters/agent-under-test.ts';
import type { Model } from '../../../src/agents/built-in/model.ts';
import { serveAgent } from '../../../src/agents/built-in/serve-agent.ts';
import type { ValueMap } from '../../../src/index.ts';
import { configOf, personas, post, saying, scripted } from '../../agents/built-in/run-agent.ts';
import { eventually } from '../../support/http-peer.ts';
import { type Played, playServer, task } from './support.ts';

// The built-in agent passes work to other agents, through the official client.

let played: Played;
let agent: ServedAgent;

afterEach(async () => {
  await agent.stop();
  await played.stop();
});

const card = {
  name: 'Weather Agent',
  description: 'Tells the weather.',
  version: '1',
  capabilities: {},
  skills: [{ id: 'now', name: 'Now', description: 'Tells the weather now.', examples: ['Rain in Oslo?'] }],
};

async function launch(model: Model, state: ValueMap, timeoutMs = 2_000): Promise<void> {
  played = await playServer({ state: { agent_card: card, ...state } });
  const a2aCards = [new URL('/.well-known/agent-card.json', played.url).href];
  const persona = { model };
  agent = await serveAgent({ persona, mcpConfig: configOf({}), a2aCards, timeoutMs });
}

const askIt = [{ name: 'ask_agent_Weather_Agent', arguments: { message: 'Rain?' } }];

describe('built-in agent, delegation to A2A agents', () => {
  test('offers a remote agent as a tool described by its card and skills', async () => {
    const model = scripted('done');
    await launch(model, {});
    await post(agent, saying('hello'));
    expect(model.seen[0]?.tools).toMatchObject([
      {
        name: 'ask_agent_Weather_Agent',
        description: expect.stringMatching(
          /^Tells the weather\.\n\nSkills of this agent:\n- Now: Tells the weather now\. For example: Rain in Oslo\?$/,
        ),
        inputSchema: { required: ['message'] },
      },
    ]);
    expect(model.seen[0]?.system).toContain('Other agents:\n- Weather Agent');
  });

  test.each<[string, ValueMap, string]>([
    ['a message', { kind: 'message', role: 'agent', messageId: 'a', parts: [{ kind: 'text', text: 'dry' }] }, 'dry'],
    [
      'a task with artifacts',
      task({ artifacts: [{ artifactId: 'a', name: 'may.txt', parts: [{ kind: 'text', text: 'wet' }] }] }),
      'may.txt\nwet',
    ],
    [
      'a task in the loose shape of public documents',
      {
        id: 'x',
        status: 'completed',
        message: { role: 'agent', parts: [{ type: 'text', text: 'so so' }] },
        artifacts: [{ name: 'f.csv', content: '# comment' }],
      },
      'so so\nf.csv\n# comment',
    ],
    ['a task with data', task({ artifacts: [{ parts: [{ kind: 'data', data: { t: 7 } }] }] }), '{"t":7}'],
    ['an object that is neither task nor message', { weather: 'none' }, '{"weather":"none"}'],
    ['a task without content', task(), ''],
  ])('gives the model the text of an answer that is %s', async (_, content, text) => {
    const model = scripted(askIt, 'done');
    await launch(model, { task_responses: [{ content }] });
    await post(agent, saying('rain?'));
    expect(model.seen[1]?.messages.at(-1)).toMatchObject({ role: 'tool', content: text });
    await eventually(() => played.messages('message/send')[0]?.content).toMatchObject({
      message: { role: 'user', parts: [{ kind: 'text', text: 'Rain?' }] },
    });
  });

  test('streams the answer when the card announces streaming', async () => {
    const model = scripted(askIt, 'done');
    const streaming = { ...card, capabilities: { streaming: true } };
    const content = task({ artifacts: [{ artifactId: 'a', parts: [{ kind: 'text', text: 'in parts' }] }] });
    await launch(model, { agent_card: streaming, task_responses: [{ content }] });
    await post(agent, saying('rain?'));
    expect(model.seen[1]?.messages.at(-1)).toMatchObject({ content: 'in parts' });
    await eventually(() => played.messages('message/stream').length).toBeGreaterThan(1);
  });

  test('gives the model an error when the remote agent rejects the task', async () => {
    const model = scripted(askIt, 'done');
    await launch(model, { task_responses: [{ content: task({ status: { state: 'rejected' } }) }] });
    await post(agent, saying('rain?'));
    expect(model.seen[1]?.messages.at(-1)).toMatchObject({ isError: true });
  });

  test('reports an unreachable remote agent and finishes the run', async () => {
    played = await playServer({ state: {} });
    agent = await serveAgent({
      persona: personas.guarded,
      mcpConfig: configOf({}),
      a2aCards: ['http://127.0.0.1:1/.well-known/agent-card.json'],
      timeoutMs: 500,
    });
    expect((await post(agent, saying('hello'))).text).toContain(
      'The agent at http://127.0.0.1:1/.well-known/agent-card.json could not be reached.',
    );
  });

  test('sends the second message in the context of the remote agent’s first answer', async () => {
    const model = scripted(askIt, askIt, 'done');
    await launch(model, {});
    await post(agent, saying('rain?'));
    await eventually(() => played.messages('message/send').length).toBe(4);
    const [first, second] = played.messages('message/send').filter(({ kind }) => kind === 'request');
    const answer = played.messages('message/send')[1]?.content as ValueMap;
    expect(first?.content).not.toHaveProperty('message.contextId');
    expect(second?.content).toMatchObject({ message: { contextId: answer.contextId } });
  });
});
