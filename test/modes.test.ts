import { describe, expect, test } from 'vitest';
import { a2aClient } from '../src/bindings/a2a/client.ts';
import { a2aServer } from '../src/bindings/a2a/server.ts';
import { agUiClient } from '../src/bindings/ag-ui/client.ts';
import { mcpClient } from '../src/bindings/mcp/client.ts';
import { mcpServer } from '../src/bindings/mcp/server.ts';
import { isClientBinding } from '../src/engine/binding.ts';
import { extractProtocol } from '../src/primitives/extract-protocol.ts';
import {
  doorOf,
  isClientMode,
  knownModes,
  modeInWords,
  noticeOf,
  roleOf,
  userMode,
} from '../src/registry/modes.ts';
import { modeHasEvent } from '../src/registry/operations.ts';
import { knownProtocols, protocolTitle } from '../src/registry/protocols.ts';
import { stateKeysOf } from '../src/registry/state-keys.ts';

const bindings = [mcpServer, mcpClient, a2aServer(), a2aClient, agUiClient];

describe('rows of modes', () => {
  test('every included binding has a row, and every row a binding', () => {
    expect(bindings.map(({ mode }) => mode)).toEqual(knownModes());
  });

  test.each(bindings)('the row of $mode agrees with its binding and its name', (binding) => {
    const { mode, protocol } = binding;
    expect(extractProtocol(mode)).toBe(protocol);
    expect(roleOf(mode)).toBe(isClientBinding(binding) ? 'client' : 'server');
    expect(mode).toBe(`${protocol}_${roleOf(mode)}`);
    expect(doorOf(mode)).toBe(isClientMode(mode) ? protocol : undefined);
    expect(noticeOf(mode) === undefined).toBe(isClientMode(mode));
    expect(knownProtocols()).toContain(protocol);
    expect(stateKeysOf(mode)).toBeDefined();
    expect(modeHasEvent(mode, 'no such event')).toBe(false);
  });

  test('the user’s mode goes through the user’s door', () => {
    expect(doorOf(userMode)).toBe('ag_ui');
    expect(protocolTitle('ag_ui')).toBe('AG-UI');
  });

  test.each([
    ['smoke_signals_server', 'smoke_signals', 'server', 'listens for the agent'],
    ['smoke_signals_client', 'smoke_signals', 'client', 'connects to the agent'],
    ['client_server', 'client', 'server', 'listens for the agent'],
    ['constructor_client', 'constructor', 'client', 'connects to the agent'],
  ])('%s has no row, so its name says what it is', (mode, protocol, role, meets) => {
    expect(extractProtocol(mode)).toBe(protocol);
    expect(roleOf(mode)).toBe(role);
    expect(doorOf(mode)).toBeUndefined();
    expect(noticeOf(mode)).toBeUndefined();
    expect(modeInWords(mode)).toEqual({
      meets: `${meets}, by a binding that is not included`,
      targets: `agents that speak ${mode}`,
    });
    expect(protocolTitle(protocol)).toBe(protocol);
  });
});
