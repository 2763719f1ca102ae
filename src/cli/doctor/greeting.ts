import { load } from '../../format/load.ts';
import type { NormalizedDocument } from '../../format/model/normalized.ts';

/** The tool of the doctor's server; `says` is what it answers. */
const createTool = (name: string, description: string, says: string) => ({
  name,
  description,
  inputSchema: { type: 'object', properties: {} },
  responses: [{ content: { content: [{ type: 'text', text: says }] } }],
});

const greet = createTool('greet', 'Says hello.', 'Hello from oatf.');

export const greetingPrompt = 'Please use the tool "greet", and tell me what it answers.';

export const greetingServer = 'doctor';

/** A harmless server, with which an agent can show that it can be reached. */
export function loadGreeting(): NormalizedDocument {
  return loadServer('A greeting', [{ name: 'greeting', state: { tools: [greet] } }]);
}

export const tourPrompt =
  'Please use the tool "greet", read the resource "note://welcome" and fetch the prompt "welcome", and tell me what each of them says, and which is the word of the day if you know it. Then see whether there are new tools. If you work with other agents, ask the agent "Concierge" for its greeting.';

/** A word that only an agent with the server's instructions knows. */
export const tourWord = /marigold/i;

/** The agent whose card the tour offers. */
const concierge = {
  name: 'concierge',
  mode: 'a2a_server',
  phases: [
    {
      name: 'serve',
      state: {
        agent_card: {
          protocolVersion: '0.3.0',
          name: 'Concierge',
          description: 'Says hello.',
          version: '1.0.0',
          capabilities: { streaming: false, pushNotifications: false },
          defaultInputModes: ['text/plain'],
          defaultOutputModes: ['text/plain'],
          skills: [{ id: 'greeting', name: 'Greeting', description: 'Says hello.', tags: ['greeting'] }],
        },
        task_responses: [
          {
            content: {
              kind: 'task',
              id: 'oatf-doctor',
              contextId: 'oatf-doctor',
              status: { state: 'completed' },
              artifacts: [{ artifactId: 'greeting', parts: [{ kind: 'text', text: 'Hello from the concierge.' }] }],
            },
          },
        ],
      },
    },
  ],
};

/**
 * The same server with every surface, at the same address. Its lists change after the first call. With `hasColleague`, an
 * A2A agent is offered too; only an agent that is told of the addresses of a run can find it.
 */
export function loadTour(hasColleague: boolean): NormalizedDocument {
  const words = { type: 'text', text: 'Bid me welcome.' };
  const phases = [
    {
      name: 'first',
      state: {
        instructions: 'The word of the day is marigold.',
        tools: [greet],
        resources: [
          {
            uri: 'note://welcome',
            name: 'welcome',
            mimeType: 'text/plain',
            content: { text: 'Welcome, says the note.' },
          },
        ],
        prompts: [
          {
            name: 'welcome',
            description: 'Words of welcome.',
            responses: [{ messages: [{ role: 'user', content: words }] }],
          },
        ],
      },
      trigger: { event: 'tools/call' },
    },
    {
      name: 'second',
      state: {
        tools: [
          createTool('greet', 'Says hello.', 'Hello again from oatf.'),
          createTool('farewell', 'Says goodbye.', 'Goodbye from oatf.'),
        ],
      },
      on_enter: [{ send: { method: 'notifications/tools/list_changed' } }],
    },
  ];
  return loadServer('A tour of the surfaces', phases, hasColleague ? [concierge] : []);
}

function loadServer(name: string, phases: readonly object[], others: readonly object[] = []): NormalizedDocument {
  const actors = [{ name: greetingServer, mode: 'mcp_server', phases }, ...others];
  const read = load(JSON.stringify({ oatf: '0.1', attack: { name, execution: { actors } } }));
  if (!read.ok) throw new Error(`a document of the doctor is not valid: ${read.errors[0]?.message}`);
  return read.document;
}
