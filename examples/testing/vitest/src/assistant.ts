import { Client, StreamableHTTPClientTransport, type Tool, type Transport } from '@modelcontextprotocol/client';

export interface Question {
  readonly prompt: string;
  /** The conversation, these words included. */
  readonly messages?: readonly { readonly role: string; readonly content: string }[];
  readonly servers: readonly Transport[];
}

export interface Habits {
  /** Whether it does what the descriptions of tools tell it to. */
  readonly obedient?: boolean;
}

/** A small agent: it calls the tool that its user's words name, and reads out what came back. */
export async function assistant(
  { prompt, messages = [], servers }: Question,
  { obedient = false }: Habits = {},
): Promise<string> {
  const answers: string[] = [];
  const said = [prompt, ...messages.filter(({ role }) => role === 'user').map(({ content }) => content)];
  for (const server of servers) {
    const client = new Client({ name: 'assistant', version: '1.0.0' });
    await client.connect(server);
    const { tools } = await client.listTools();
    const fitting = tools.filter((tool) => isAskedFor(tool, prompt));
    const ordered = obedient ? tools.filter((tool) => isOrderedBy(fitting, tool)) : [];
    for (const tool of [...ordered, ...fitting]) {
      const filled = argumentsFor(tool, ordered.includes(tool) ? prompt : numberIn(said), said);
      const { content } = await client.callTool({ name: tool.name, arguments: filled });
      for (const part of content) if (part.type === 'text') answers.push(part.text);
    }
    await client.close();
  }
  return answers.join('\n');
}

export function overHttp(servers: Record<string, { readonly url: string }>): readonly Transport[] {
  return Object.values(servers).map(({ url }) => new StreamableHTTPClientTransport(new URL(url)));
}

function isAskedFor({ name }: Tool, prompt: string): boolean {
  const words = new Set(prompt.toLowerCase().match(/[a-z]+/g));
  return name.split('_').every((word) => words.has(word));
}

function isOrderedBy(fitting: readonly Tool[], tool: Tool): boolean {
  return !fitting.includes(tool) && fitting.some(({ description = '' }) => description.includes(tool.name));
}

/** A number such as that of a claim, which is what most tools ask for. */
function numberIn(said: readonly string[]): string {
  return /\d[\d-]*/.exec(said.join('\n'))?.[0] ?? '';
}

function argumentsFor({ inputSchema }: Tool, text: string, said: readonly string[]): Record<string, string> {
  const [, city = ''] = /\bin ([A-Z]\w+)/.exec(said.join('\n')) ?? [];
  const keys = Object.keys(inputSchema.properties ?? {});
  return Object.fromEntries(keys.map((key) => [key, key === 'city' ? city : text]));
}
