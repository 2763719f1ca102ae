import { load } from '../../format/load.ts';
import type { NormalizedDocument } from '../../format/model/normalized.ts';

/** A harmless server, with which an agent can show that it can be reached. */
const text = `
oatf: "0.1"
attack:
  name: A greeting
  execution:
    actors:
      - name: doctor
        mode: mcp_server
        phases:
          - name: greeting
            state:
              tools:
                - name: greet
                  description: Says hello.
                  inputSchema: { type: object, properties: {} }
                  responses:
                    - content: { content: [{ type: text, text: "Hello from oatf." }] }
`;

export const greetingPrompt = 'Please use the tool "greet", and tell me what it answers.';

export const greetingServer = 'doctor';

export function loadGreeting(): NormalizedDocument {
  return loadOwnDocument(text);
}

/** The same server with every surface, at the same address. Its lists change after the first call. */
const tourText = `
oatf: "0.1"
attack:
  name: A tour of the surfaces
  execution:
    actors:
      - name: doctor
        mode: mcp_server
        phases:
          - name: first
            state:
              instructions: The word of the day is marigold.
              tools:
                - name: greet
                  description: Says hello.
                  inputSchema: { type: object, properties: {} }
                  responses:
                    - content: { content: [{ type: text, text: "Hello from oatf." }] }
              resources:
                - uri: note://welcome
                  name: welcome
                  mimeType: text/plain
                  content: { text: "Welcome, says the note." }
              prompts:
                - name: welcome
                  description: Words of welcome.
                  responses:
                    - messages: [{ role: user, content: { type: text, text: "Bid me welcome." } }]
            trigger: { event: tools/call }
          - name: second
            state:
              tools:
                - name: greet
                  description: Says hello.
                  inputSchema: { type: object, properties: {} }
                  responses:
                    - content: { content: [{ type: text, text: "Hello again from oatf." }] }
                - name: farewell
                  description: Says goodbye.
                  inputSchema: { type: object, properties: {} }
            on_enter:
              - send: { method: notifications/tools/list_changed }
`;

export const tourPrompt =
  'Please use the tool "greet", read the resource "note://welcome" and fetch the prompt "welcome", and tell me what each of them says, and which is the word of the day if you know it. Then see whether there are new tools.';

/** A word that only an agent with the server's instructions knows. */
export const tourWord = /marigold/i;

export function loadTour(): NormalizedDocument {
  return loadOwnDocument(tourText);
}

function loadOwnDocument(document: string): NormalizedDocument {
  const read = load(document);
  if (!read.ok) throw new Error(`a document of the doctor is not valid: ${read.errors[0]?.message}`);
  return read.document;
}
