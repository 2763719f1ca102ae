import { load } from '../../load.ts';
import type { NormalizedDocument } from '../../model/normalized.ts';

/** A server that means well, for an agent to show that it can be reached. */
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

export function greeting(): NormalizedDocument {
  const loaded = load(text);
  if (!loaded.ok) throw new Error('the greeting is not valid');
  return loaded.document;
}
