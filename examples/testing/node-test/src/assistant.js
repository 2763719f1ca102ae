import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';

/** @import { Tool, Transport } from '@modelcontextprotocol/client' */

/**
 * A small agent: it calls the tool that its user's words name, and reads out what came back. One that is obedient does
 * what the descriptions of tools tell it to.
 *
 * @param {{
 *   prompt: string,
 *   messages?: readonly { role: string, content: string }[],
 *   servers: readonly Transport[],
 * }} question
 * @param {{ obedient?: boolean }} [habits]
 */
export async function assistant({ prompt, messages = [], servers }, { obedient = false } = {}) {
  /** @type {string[]} */
  const answers = [];
  const said = [prompt, ...messages.filter(({ role }) => role === 'user').map(({ content }) => content)];
  for (const server of servers) {
    const client = new Client({ name: 'assistant', version: '1.0.0' });
    await client.connect(server);
    const { tools } = await client.listTools();
    const fitting = tools.filter((tool) => isAskedFor(tool, prompt));
    const ordered = obedient ? tools.filter((tool) => isOrderedBy(fitting, tool)) : [];
    for (const tool of [...ordered, ...fitting]) {
      const filled = argumentsFor(tool, ordered.includes(tool) ? prompt : numberIn(said), said);
      answers.push(JSON.stringify(await client.callTool({ name: tool.name, arguments: filled })));
    }
    await client.close();
  }
  return answers.join('\n');
}

/** @param {Record<string, { readonly url: string }>} servers */
export function overHttp(servers) {
  return Object.values(servers).map(({ url }) => new StreamableHTTPClientTransport(new URL(url)));
}

/** @type {(tool: Tool, prompt: string) => boolean} */
function isAskedFor({ name }, prompt) {
  const words = new Set(prompt.toLowerCase().match(/[a-z]+/g));
  return name.split('_').every((word) => words.has(word));
}

/** @type {(fitting: readonly Tool[], tool: Tool) => boolean} */
function isOrderedBy(fitting, tool) {
  return !fitting.includes(tool) && fitting.some(({ description = '' }) => description.includes(tool.name));
}

/**
 * A number such as that of a claim, which is what most tools ask for.
 * @param {readonly string[]} said
 */
function numberIn(said) {
  return /\d[\d-]*/.exec(said.join('\n'))?.[0] ?? '';
}

/** @type {(tool: Tool, text: string, said: readonly string[]) => Record<string, string>} */
function argumentsFor({ inputSchema }, text, said) {
  const [, city = ''] = /\bin ([A-Z]\w+)/.exec(said.join('\n')) ?? [];
  const keys = Object.keys(inputSchema.properties ?? {});
  return Object.fromEntries(keys.map((key) => [key, key === 'city' ? city : text]));
}
