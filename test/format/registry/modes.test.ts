import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { a2aClient } from '../../../src/attack/bindings/a2a/a2a-client-binding.ts';
import { a2aServer } from '../../../src/attack/bindings/a2a/a2a-server-binding.ts';
import { agUiClient } from '../../../src/attack/bindings/ag-ui/ag-ui-client-binding.ts';
import { mcpClient } from '../../../src/attack/bindings/mcp/mcp-client-binding.ts';
import { mcpServer } from '../../../src/attack/bindings/mcp/mcp-server-binding.ts';
import { isClientBinding } from '../../../src/attack/engine/binding.ts';
import {
  describeMode,
  findAgentInterface,
  findNotice,
  getProtocol,
  getRole,
  isClientMode,
  knownModes,
  userMode,
} from '../../../src/format/registry/known-modes.ts';
import { listStateKeys } from '../../../src/format/registry/payload-shapes.ts';
import { hasEvent } from '../../../src/format/registry/protocol-operations.ts';
import { formatProtocolTitle, knownProtocols } from '../../../src/format/registry/protocols.ts';

const bindings = [mcpServer, mcpClient, a2aServer(), a2aClient, agUiClient];

describe('the table of modes', () => {
  test('has a row for every included binding, and no other', () => {
    expect(bindings.map(({ mode }) => mode)).toEqual(knownModes());
  });

  test.each(bindings)('agrees for $mode with its binding and its name', (binding) => {
    const { mode, protocol } = binding;
    expect(getProtocol(mode)).toBe(protocol);
    expect(getRole(mode)).toBe(isClientBinding(binding) ? 'client' : 'server');
    expect(mode).toBe(`${protocol}_${getRole(mode)}`);
    expect(findAgentInterface(mode)).toBe(isClientMode(mode) ? protocol : undefined);
    expect(findNotice(mode) === undefined).toBe(isClientMode(mode));
    expect(knownProtocols()).toContain(protocol);
    expect(listStateKeys(mode)).toBeDefined();
    expect(hasEvent(mode, 'no such event')).toBe(false);
  });

  test('gives the mode of the user the AG-UI interface', () => {
    expect(findAgentInterface(userMode)).toBe('ag_ui');
    expect(formatProtocolTitle('ag_ui')).toBe('AG-UI');
  });

  test.each([
    ['smoke_signals_server', 'smoke_signals', 'server', 'listens for the agent'],
    ['smoke_signals_client', 'smoke_signals', 'client', 'connects to the agent'],
    ['client_server', 'client', 'server', 'listens for the agent'],
    ['constructor_client', 'constructor', 'client', 'connects to the agent'],
  ])('derives what %s means from its name, since it has no row', (mode, protocol, role, meets) => {
    expect(getProtocol(mode)).toBe(protocol);
    expect(getRole(mode)).toBe(role);
    expect(findAgentInterface(mode)).toBeUndefined();
    expect(findNotice(mode)).toBeUndefined();
    expect(describeMode(mode)).toEqual({
      meets: `${meets}, by a binding that is not included`,
      targets: `agents that speak ${mode}`,
    });
    expect(formatProtocolTitle(protocol)).toBe(protocol);
  });
});

// Files that may contain the name of a mode. Other code asks the registry, so that a mode is added in one place.
const mayName = [
  /^src\/format\/registry\//,
  /^src\/attack\/bindings\//,
  /^src\/suite\/play\/playable-modes\.ts$/,
  // Documents to read and to copy, not code that asks for a mode.
  /^src\/(?:index|runtime|protocol)\.ts$/,
  /^src\/cli\/doctor\/greeting\.ts$/,
];
const mayReadEndings = [/^src\/format\/registry\//];

const nameOfMode = new RegExp(`\\b(?:${knownModes().join('|')})\\b`);
const endingOfMode = /(['"])_(?:server|client)\1|_\((?:\?:)?(?:server\|client|client\|server)\)/;

function linesLike(pattern: RegExp, allowed: readonly RegExp[]): readonly string[] {
  const root = fileURLToPath(new URL('../../..', import.meta.url));
  const files = ['src', 'web/src'].flatMap((folder) =>
    readdirSync(`${root}${folder}`, { recursive: true, encoding: 'utf8' }).map((file) => `${folder}/${file}`),
  );
  return files
    .filter((file) => file.endsWith('.ts') && !allowed.some((place) => place.test(file)))
    .flatMap((file) =>
      readFileSync(`${root}${file}`, 'utf8')
        .split('\n')
        .flatMap((line, index) => (pattern.test(line) ? `${file}:${index + 1}: ${line.trim()}` : [])),
    );
}

describe('names of modes in src', () => {
  test.each([
    ["if (mode === 'mcp_server') return;", nameOfMode],
    ["const titles = { ag_ui_client: 'AG-UI' };", nameOfMode],
    ["return mode.endsWith('_client');", endingOfMode],
    ['return /_(server|client)$/.test(mode);', endingOfMode],
  ])('are noticed in the line %s', (line, pattern) => {
    expect(line).toMatch(pattern);
  });

  test('are not noticed in a word that only begins like one', () => {
    expect('{{mcp_servers.codex}}').not.toMatch(nameOfMode);
  });

  test('stand only in the registry, the bindings and where both meet transports', () => {
    expect(linesLike(nameOfMode, mayName)).toEqual([]);
  });

  test('are taken apart in the registry only', () => {
    expect(linesLike(endingOfMode, mayReadEndings)).toEqual([]);
  });

  test.each([...mayName, ...mayReadEndings])('stand in %s, which therefore needs its permission', (place) => {
    const others = (places: readonly RegExp[]): readonly RegExp[] => places.filter((each) => each !== place);
    const [pattern, allowed] = mayName.includes(place)
      ? [nameOfMode, others(mayName)]
      : [endingOfMode, others(mayReadEndings)];
    expect(linesLike(pattern, allowed)).not.toEqual([]);
  });
});
