import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isValueMap, type Value } from '../../../format/model/value.ts';

/** The command that a client launches if it can only use stdio: our own command line, which forwards to the URL. */
export function createBridgeCommand(url: string): {
  readonly command: string;
  readonly args: readonly string[];
} {
  return { command: process.execPath, args: [findOwnCommandLine(), 'bridge', url] };
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
