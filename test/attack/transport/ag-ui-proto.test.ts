import { type BaseEvent, EventType } from '@ag-ui/core';
import { EventEncoder } from '@ag-ui/encoder';
import { describe, expect, test } from 'vitest';
import { createFrameReader, decodeEvent } from '../../../src/attack/transport/ag-ui-client/proto-events.ts';
import type { ValueMap } from '../../../src/index.ts';

const encoder = new EventEncoder({ accept: 'application/vnd.ag-ui.event+proto' });
const encode = (event: ValueMap): Buffer => Buffer.from(encoder.encodeBinary(event as unknown as BaseEvent));
const headerLength = 4;

const ids = { threadId: 't', runId: 'r' };
const image = { type: 'image', source: { type: 'url', value: 'http://x.example', mimeType: 'image/png' } };
const document = {
  type: 'document',
  id: 'p',
  source: { type: 'file', value: 'handle', provider: 'p' },
  metadata: { a: 1 },
};
const call = { id: 'c', type: 'function', function: { name: 'pay', arguments: '{}' }, encryptedValue: 'x' };

const events: { readonly [type: string]: ValueMap } = {
  TEXT_MESSAGE_START: { messageId: 'm', role: 'assistant', name: 'ada', subagentRunId: 's' },
  TEXT_MESSAGE_CONTENT: {
    messageId: 'm',
    delta: 'hé',
    timestamp: 1_700_000_000_000,
    rawEvent: { a: [null, 1.5] },
  },
  TEXT_MESSAGE_END: { messageId: 'm', metadata: { deep: { er: true } } },
  TEXT_MESSAGE_CHUNK: { messageId: 'm', role: 'assistant', delta: 'x' },
  TOOL_CALL_START: { toolCallId: 'c', toolCallName: 'pay', parentMessageId: 'm' },
  TOOL_CALL_ARGS: { toolCallId: 'c', delta: '{}' },
  TOOL_CALL_END: { toolCallId: 'c' },
  TOOL_CALL_CHUNK: { toolCallId: 'c', toolCallName: 'pay', delta: '{' },
  TOOL_CALL_RESULT: {
    messageId: 'm',
    toolCallId: 'c',
    role: 'tool',
    content: [{ type: 'text', text: 'a' }, image],
  },
  STATE_SNAPSHOT: { snapshot: { list: [1, 'a', null], no: null } },
  STATE_DELTA: {
    delta: [
      { op: 'add', path: '/a', value: { b: 1 } },
      { op: 'move', from: '/a', path: '/b' },
      { op: 'test', path: '/b', value: null },
    ],
  },
  MESSAGES_SNAPSHOT: {
    messages: [
      { id: '1', role: 'user', content: 'hi' },
      { id: '2', role: 'user', content: [{ type: 'text', text: 'hi' }, document] },
      { id: '3', role: 'assistant', content: 'so', toolCalls: [call], encryptedValue: 'y' },
      { id: '4', role: 'tool', toolCallId: 'c', content: 'done', error: 'no' },
      { id: '5', role: 'activity', activityType: 'PLAN', content: { steps: [] } },
      { id: '6', role: 'reasoning', content: 'hm' },
    ],
  },
  ACTIVITY_SNAPSHOT: { messageId: 'm', activityType: 'PLAN', content: { a: 1 }, replace: true },
  ACTIVITY_DELTA: { messageId: 'm', activityType: 'PLAN', patch: [{ op: 'remove', path: '/a' }] },
  RAW: { event: { any: 'thing' }, source: 'x' },
  CUSTOM: { name: 'x', value: [1, 2] },
  RUN_STARTED: {
    ...ids,
    protocolVersion: '1.0',
    parentRunId: 'p',
    input: {
      ...ids,
      state: { a: 1 },
      messages: [{ id: '1', role: 'user', content: [image] }],
      tools: [{ name: 'pay', description: 'd', parameters: { type: 'object' } }],
      context: [{ description: 'd', value: 'v' }],
      forwardedProps: { x: null },
      resume: [{ interruptId: 'i', status: 'resolved', payload: { approved: true } }],
    },
  },
  RUN_FINISHED: {
    ...ids,
    result: { ok: true },
    usage: [{ provider: 'p', model: 'm', inputTokens: 3, outputTokens: 4 }],
    outcome: {
      type: 'interrupt',
      interrupts: [{ id: 'i', reason: 'tool_call', message: 'Pay?', toolCallId: 'c' }],
    },
  },
  RUN_ERROR: { message: 'no', code: 'c' },
  STEP_STARTED: { stepName: 's' },
  STEP_FINISHED: { stepName: 's' },
  REASONING_START: { messageId: 'm' },
  REASONING_MESSAGE_START: { messageId: 'm', role: 'reasoning' },
  REASONING_MESSAGE_CONTENT: { messageId: 'm', delta: 'x' },
  REASONING_MESSAGE_END: { messageId: 'm' },
  REASONING_MESSAGE_CHUNK: { messageId: 'm', delta: 'x' },
  REASONING_END: { messageId: 'm' },
  REASONING_ENCRYPTED_VALUE: { subtype: 'tool-call', entityId: 'c', encryptedValue: 'opaque+/=' },
  SUBAGENT_STARTED: { subagentRunId: 's', name: 'helper', description: 'd', parentToolCallId: 'c' },
  SUBAGENT_FINISHED: { subagentRunId: 's', result: 1, outcome: { type: 'suspended', interruptIds: ['i'] } },
  SUBAGENT_ERROR: { subagentRunId: 's', message: 'no', code: 'c' },
};

describe('decodeEvent', () => {
  test.each(Object.values(EventType))('reads a %s event of the official encoder as in JSON', (type) => {
    const event = { type, ...events[type] };
    expect(decodeEvent(encode(event).subarray(headerLength))).toEqual(event);
  });
  test.each([
    ['success', { type: 'success', pendingToolCallIds: ['c'] }],
    ['cancelled', { type: 'cancelled' }],
  ])('reads the outcome of a run: %s', (_, outcome) => {
    const event = { type: 'RUN_FINISHED', ...ids, outcome };
    expect(decodeEvent(encode(event).subarray(headerLength))).toEqual(event);
  });
  test.each([
    ['nothing', []],
    ['a length that goes past the end', [10, 200, 1]],
    ['an unknown event', [250, 7, 0]],
    ['two events', [10, 0, 18, 0]],
  ])('throws if the bytes hold %s', (_, bytes) => {
    expect(() => decodeEvent(Uint8Array.from(bytes))).toThrow();
  });
});

describe('createFrameReader', () => {
  const whole = Buffer.concat([encode({ type: 'STEP_STARTED', stepName: 's' }), encode({ type: 'RAW', event: 1 })]);
  function read(chunks: readonly Buffer[], longest = 100) {
    const reported: string[] = [];
    const reader = createFrameReader(
      {
        data: (bytes) => reported.push(String(decodeEvent(bytes).type)),
        tooLong: () => reported.push('too long'),
      },
      longest,
    );
    for (const chunk of chunks) reader.push(chunk);
    return [reported, reader.end()?.length];
  }
  const both = ['STEP_STARTED', 'RAW'];
  test.each([
    ['that come at once', [whole], 100, [both, undefined]],
    ['that come byte by byte', [...whole].map((byte) => Buffer.from([byte])), 100, [both, undefined]],
    ['that break off within an event', [whole.subarray(0, -1)], 100, [['STEP_STARTED'], expect.any(Number)]],
    ['that break off within a header', [whole.subarray(0, 2)], 100, [[], 2]],
    ['that break off behind a header', [whole.subarray(0, 4)], 100, [[], 0]],
    ['longer than may be', [Buffer.from([255, 255, 255, 255]), whole], 100, [['too long'], expect.anything()]],
  ] as const)('reads frames %s', (_, chunks, longest, expected) => {
    const [reported, rest] = read(chunks, longest);
    if (_ === 'longer than may be') expect(reported).toEqual(['too long']);
    else expect([reported, rest]).toEqual(expected);
  });
});
