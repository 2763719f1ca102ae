import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isValueMap, type Value } from '../../../format/model/value.ts';
import type { McpConfig } from '../agent-under-test.ts';

/** An MCP server in a client's configuration: the URL it listens at, or the command that launches it. */
export type ReportedServer =
  | { readonly type: 'http'; readonly url: string }
  | { readonly command: string; readonly args: readonly string[] };

export interface ReportedServers {
  readonly [name: string]: ReportedServer;
}

export function selectReportedServers({ mcpServers }: McpConfig, way: 'http' | 'stdio'): ReportedServers {
  if (way === 'http') return mcpServers;
  return Object.fromEntries(Object.entries(mcpServers).map(([name, { url }]) => [name, createBridgeCommand(url)]));
}

/** The servers as text, in the shapes that different clients need, by placeholder. */
export const serverShapes: { readonly [placeholder: string]: (servers: ReportedServers) => string } = {
  mcp_servers: (servers) => JSON.stringify(servers),
  'mcp_servers.codex': (servers) =>
    writeInlineTable(servers, (server) =>
      'url' in server
        ? { url: JSON.stringify(server.url) }
        : { command: JSON.stringify(server.command), args: JSON.stringify(server.args) },
    ),
  'mcp_servers.opencode': (servers) =>
    JSON.stringify(
      mapServers(servers, (server) =>
        // OAuth is off: there is no sign-in during an attack, and the next launch might wait for the lock of the
        // sign-in file.
        'url' in server
          ? { type: 'remote', url: server.url, enabled: true, oauth: false }
          : { type: 'local', command: [server.command, ...server.args], enabled: true },
      ),
    ),
};

function mapServers<T>(servers: ReportedServers, to: (server: ReportedServer) => T): { readonly [name: string]: T } {
  return Object.fromEntries(Object.entries(servers).map(([name, server]) => [name, to(server)]));
}

/** Writes TOML. JSON strings, and lists of them, are valid in it. */
function writeInlineTable(
  servers: ReportedServers,
  fields: (server: ReportedServer) => { readonly [key: string]: string },
): string {
  const table = (entries: readonly (readonly [string, string])[]): string =>
    `{ ${entries.map(([key, value]) => `${key} = ${value}`).join(', ')} }`;
  return table(
    Object.entries(servers).map(([name, server]) => [JSON.stringify(name), table(Object.entries(fields(server)))]),
  );
}

/** The command that a client launches if it can only use stdio: our own command line, which forwards to the URL. */
function createBridgeCommand(url: string): {
  readonly command: string;
  readonly args: readonly string[];
} {
  return { command: process.execPath, args: [findOwnCommandLine(), 'bridge', url] };
}

/** Whether a program was launched by that command. */
export function isBridge([, program, command]: readonly string[]): boolean {
  return command === 'bridge' && program === findOwnCommandLine();
}

/** Finds our command line through the package.json of the package that contains this file. */
function findOwnCommandLine(): string {
  for (let folder = dirname(fileURLToPath(import.meta.url)); ; folder = dirname(folder)) {
    const path = findCommandLine(folder);
    if (path !== undefined && existsSync(path)) return path;
    if (path !== undefined || dirname(folder) === folder)
      throw new Error(
        `\`mcp: stdio\` needs the command line of oatf, which is not ${path === undefined ? 'next to this file' : `at ${path}`}`,
      );
  }
}

function findCommandLine(folder: string): string | undefined {
  try {
    const read = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Value;
    if (!isValueMap(read) || read.name !== 'oatf' || !isValueMap(read.bin)) return undefined;
    return typeof read.bin.oatf === 'string' ? join(folder, read.bin.oatf) : undefined;
  } catch {
    return undefined;
  }
}
