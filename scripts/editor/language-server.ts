import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** What an editor shows at the cursor (`|`) in a text. */
export interface Shown {
  readonly offers: readonly string[];
  readonly says: readonly string[];
  readonly complains: readonly string[];
}

interface Message {
  readonly id?: number | string;
  readonly method?: string;
  readonly params?: unknown;
  readonly result?: unknown;
}

/** The language server as an editor starts it, over its standard streams, with one schema for every file. */
export async function startLanguageServer(folder: string, schema: string) {
  const child = spawn(process.execPath, [join(folder, 'bin/yaml-language-server'), '--stdio'], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const waiting = new Map<number, (result: unknown) => void>();
  const complaints = new Map<string, (messages: readonly string[]) => void>();
  let buffer = Buffer.alloc(0);
  let last = 0;

  const send = (message: object): void => {
    const body = JSON.stringify({ jsonrpc: '2.0', ...message });
    child.stdin.write(`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
  };
  const ask = (method: string, params: object): Promise<unknown> =>
    new Promise((resolve) => {
      last += 1;
      waiting.set(last, resolve);
      send({ id: last, method, params });
    });
  const configuration = {
    validate: true,
    hover: true,
    completion: true,
    schemas: { [pathToFileURL(schema).href]: '*' },
    schemaStore: { enable: false },
  };

  child.stdout.on('data', (chunk: Buffer) => {
    buffer = Buffer.concat([buffer, chunk]);
    for (;;) {
      const end = buffer.indexOf('\r\n\r\n');
      const length = Number(/Content-Length: (\d+)/.exec(buffer.subarray(0, Math.max(end, 0)).toString())?.[1]);
      if (end < 0 || buffer.length < end + 4 + length) return;
      const message: Message = JSON.parse(buffer.subarray(end + 4, end + 4 + length).toString());
      buffer = buffer.subarray(end + 4 + length);
      hear(message);
    }
  });

  function hear({ id, method, params, result }: Message): void {
    if (method === undefined) waiting.get(Number(id))?.(result);
    else if (method === 'textDocument/publishDiagnostics') {
      const { uri, diagnostics } = params as { uri: string; diagnostics: { message: string }[] };
      complaints.get(uri)?.(diagnostics.map(({ message }) => message));
    } else if (id !== undefined) send({ id, result: answerTo(method, params) });
  }

  function answerTo(method: string, params: unknown): unknown {
    if (method !== 'workspace/configuration') return null;
    return (params as { items: { section?: string }[] }).items.map(({ section }) =>
      section === 'yaml' ? configuration : {},
    );
  }

  await ask('initialize', {
    processId: process.pid,
    rootUri: null,
    capabilities: {
      workspace: { configuration: true },
      textDocument: { completion: { completionItem: { snippetSupport: true } }, hover: {} },
    },
  });
  send({ method: 'initialized', params: {} });
  send({ method: 'workspace/didChangeConfiguration', params: { settings: { yaml: configuration } } });

  let files = 0;
  const server = {
    async look(marked: string): Promise<Shown> {
      files += 1;
      const uri = `file:///somewhere/attack-${files}.yaml`;
      const at = marked.indexOf('|');
      const text = marked.replace('|', '');
      const before = marked.slice(0, at).split('\n');
      const position = { line: before.length - 1, character: before.at(-1)?.length ?? 0 };
      const complained = new Promise<readonly string[]>((resolve) => complaints.set(uri, resolve));
      send({
        method: 'textDocument/didOpen',
        params: { textDocument: { uri, languageId: 'yaml', version: 1, text } },
      });
      const place = { textDocument: { uri }, position };
      const offers = (await ask('textDocument/completion', place)) as { items: { label: string }[] } | null;
      const says = (await ask('textDocument/hover', place)) as { contents: { value: string } } | null;
      return {
        offers: offers?.items.map(({ label }) => label) ?? [],
        says: says === null ? [] : [says.contents.value],
        complains: await complained,
      };
    },
    async close(): Promise<void> {
      await ask('shutdown', {});
      send({ method: 'exit' });
    },
  };
  // The first answer may come before the server has read its settings, so it is not used.
  await server.look('oatf: |');
  return server;
}
