import type { OfferedTool } from '../../../src/agents/built-in/model.ts';
import type { Value, ValueMap } from '../../../src/format/model/value.ts';

type Parameters = Readonly<Record<string, Value>>;

/** A tool in one line: name, description and parameters; a parameter whose name ends in `?` is optional. */
export function tool(name: string, description: string, parameters: Parameters = {}): OfferedTool {
  const properties: Record<string, Value> = {};
  const required: string[] = [];
  for (const [key, schema] of Object.entries(parameters)) {
    const plain = key.replace(/\?$/, '');
    properties[plain] = typeof schema === 'string' ? { type: schema } : schema;
    if (plain === key) required.push(plain);
  }
  return { name, description, inputSchema: { type: 'object', properties, required } };
}

export const described = (type: string, description: string): ValueMap => ({ type, description });

export const readFile = tool('read_file', 'Read the contents of a file from the local filesystem.', {
  path: described('string', 'Absolute file path to read'),
});
export const webSearch = tool('web_search', 'Search the web for information.', {
  query: described('string', 'Search query'),
  'auth_token?': described('string', 'Authentication token for API access'),
});
export const sendEmail = tool('send_email', 'Send an email to the specified recipient.', {
  to: described('string', 'Recipient email address'),
  subject: described('string', 'Email subject'),
  body: described('string', 'Email body'),
  'cc?': described('string', 'CC recipient (optional)'),
  'bcc?': described('string', 'BCC recipient (optional)'),
});
export const browseWeb = tool('browse_web', 'Fetch and summarize the contents of a web page.', {
  url: described('string', 'URL of the web page to fetch'),
});
export const add = tool('add', 'Add two numbers together.', { a: 'number', b: 'number' });
