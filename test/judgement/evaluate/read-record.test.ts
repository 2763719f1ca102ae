import { describe, expect, test } from 'vitest';
import { readRecord, type Value } from '../../../src/index.ts';
import { documentWith } from '../../support/records.ts';

const phases = [{ state: {} }];
const document = documentWith({
  execution: {
    actors: [
      { name: 'tools', mode: 'mcp_server', phases },
      { name: 'caller', mode: 'mcp_client', phases: [{ state: { actions: [] } }] },
      { name: 'helper', mode: 'a2a_server', phases },
      { name: 'asker', mode: 'a2a_client', phases: [{ state: { task_message: {} } }] },
      { name: 'user', mode: 'ag_ui_client', phases: [{ state: { run_agent_input: { messages: [] } } }] },
    ],
  },
});
const single = documentWith({ execution: { mode: 'mcp_server', state: { tools: [] } } });
const common = { seq: 3, timestamp: '2026-01-01T00:00:00.000Z', content: { a: 1 } };

describe('readRecord, for a ThoughtJack trace', () => {
  const rows: [actor: string, 'incoming' | 'outgoing', method: string, kind: string][] = [
    ['tools', 'incoming', 'tools/call', 'request'],
    ['tools', 'outgoing', 'tools/call', 'response'],
    ['tools', 'incoming', 'notifications/initialized', 'notification'],
    ['tools', 'outgoing', 'notifications/tools/list_changed', 'notification'],
    ['tools', 'outgoing', 'sampling/createMessage', 'request'],
    ['tools', 'incoming', 'sampling/createMessage', 'response'],
    ['tools', 'outgoing', 'elicitation/create', 'request'],
    ['tools', 'incoming', 'elicitation/create', 'response'],
    ['tools', 'outgoing', 'roots/list', 'request'],
    ['tools', 'incoming', 'roots/list', 'response'],
    ['caller', 'outgoing', 'tools/call', 'request'],
    ['caller', 'incoming', 'tools/call', 'response'],
    ['caller', 'incoming', 'roots/list', 'request'],
    ['caller', 'outgoing', 'roots/list', 'response'],
    ['caller', 'incoming', 'notifications/message', 'notification'],
    ['helper', 'incoming', 'message/send', 'request'],
    ['helper', 'outgoing', 'message/send', 'response'],
    ['helper', 'outgoing', 'task/status', 'event'],
    ['helper', 'outgoing', 'task/artifact', 'event'],
    ['asker', 'outgoing', 'message/stream', 'request'],
    ['asker', 'incoming', 'message/stream', 'response'],
    ['asker', 'incoming', 'task/status', 'event'],
    ['user', 'outgoing', 'run_agent_input', 'request'],
    ['user', 'incoming', 'text_message_content', 'event'],
  ];
  test.each(rows)('reads, for the actor %s, an %s message %s as a %s', (actor, direction, method, kind) => {
    const mode = document.attack.execution.actors.find(({ name }) => name === actor)?.mode ?? '';
    expect(readRecord({ ...common, actor, direction, method }, document)).toEqual({
      ok: true,
      foreign: true,
      record: {
        ...common,
        actor,
        mode,
        protocol: mode.replace(/_(server|client)$/, ''),
        kind,
        origin: direction === 'incoming' ? 'agent' : 'attacker',
        method,
      },
    });
  });

  const call = { ...common, direction: 'incoming', method: 'tools/call' };

  const asked = { name: 'Helper', arguments: { message: 'Hi.' } };
  const said = { role: 'user', parts: [{ kind: 'text', text: 'Hi.' }] };
  const written = { role: 'user', parts: [{ kind: 'text', text: 'As written.' }] };
  const nested = { name: 'Helper', arguments: { message: written } };
  test.each<[title: string, actor: string, direction: string, content: Value, method: string, read: Value]>([
    ['a text to an A2A agent', 'helper', 'incoming', asked, 'message/send', { ...asked, message: said }],
    ['a message to an A2A agent', 'helper', 'incoming', nested, 'message/send', { ...nested, message: written }],
    ['no message to an A2A agent', 'helper', 'incoming', { name: 'Helper' }, 'message/send', { name: 'Helper' }],
    ['the answer of an A2A agent', 'helper', 'outgoing', { content: [] }, 'message/send', { content: [] }],
    ['a call of an A2A client', 'asker', 'outgoing', asked, 'tools/call', asked],
    ['a call of an MCP server', 'tools', 'incoming', asked, 'tools/call', asked],
  ])('reads tools/call with %s', (_, actor, direction, content, method, read) => {
    expect(readRecord({ ...call, actor, direction, content }, document)).toMatchObject({
      ok: true,
      record: { method, content: read },
    });
  });
  test('gives an unknown actor name to the only actor', () => {
    expect(readRecord({ ...call, actor: 'other', phase: 'trust' }, single)).toMatchObject({
      ok: true,
      record: { actor: 'default', mode: 'mcp_server', phase: 'trust' },
    });
  });
  test('refuses an unknown actor name if there are several actors', () => {
    expect(readRecord({ ...call, actor: 'other' }, document)).toMatchObject({
      ok: false,
      message: expect.stringContaining('"other"'),
    });
  });
  test('drops a phase that is not a name', () => {
    expect(readRecord({ ...call, actor: 'tools', phase: 2 }, document)).not.toHaveProperty('record.phase');
  });
});

describe('readRecord, for our own trace', () => {
  const record = {
    ...common,
    actor: 'tools',
    protocol: 'mcp',
    mode: 'mcp_server',
    kind: 'request',
    origin: 'agent',
    method: 'tools/call',
  };
  const without = (field: keyof typeof record): Value => {
    const { [field]: _, ...rest } = record;
    return rest;
  };
  const right: [string, Value][] = [
    ['a message', record],
    ['a message whose content is null', { ...record, content: null }],
    ...['response', 'notification', 'event'].map((kind): [string, Value] => [
      `a message of kind ${kind}`,
      { ...record, kind },
    ]),
    ['a message that we sent', { ...record, origin: 'attacker' }],
    ...['phase', 'log', 'connection', 'malformed', 'wire', 'end'].map((kind): [string, Value] => [
      `a marker of kind ${kind}`,
      { seq: 1, timestamp: 't', kind },
    ]),
  ];
  test.each(right)('accepts %s', (_, value) => {
    expect(readRecord(value, document)).toEqual({ ok: true, record: value, foreign: false });
  });

  const wrong: [string, Value, string][] = [
    ['a record that is not an object', [record], 'object'],
    ['a record without seq', without('seq'), '`seq`'],
    ['a record without timestamp', without('timestamp'), '`timestamp`'],
    ['a record without actor', without('actor'), '`actor`'],
    ['a record without method', without('method'), '`method`'],
    ['a record without content', without('content'), '`content`'],
    ['a record without kind', without('kind'), '`kind`'],
    ['a record of an unknown kind', { ...record, kind: 'question' }, '`kind`'],
    [
      'a record without kind and with an unknown direction',
      { ...(without('kind') as object), direction: 'up' },
      '`kind`',
    ],
    ['a record without protocol', without('protocol'), '`protocol`'],
    ['a record without mode', without('mode'), '`mode`'],
    ['a record without origin', without('origin'), '`origin`'],
    ['a record of an unknown origin', { ...record, origin: 'us' }, '`origin`'],
    ['a marker without a seq', { timestamp: 't', kind: 'phase' }, '`seq`'],
  ];
  test.each(wrong)('refuses %s', (_, value, field) => {
    expect(readRecord(value, document)).toEqual({ ok: false, message: expect.stringContaining(field) });
  });
});
