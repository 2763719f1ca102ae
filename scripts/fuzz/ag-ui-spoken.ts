import type { BaseEvent } from '@ag-ui/core';
import { EventEncoder } from '@ag-ui/encoder';
import type { Value, ValueMap } from '../../src/format/model/value.ts';
import { agUiClientMode } from '../../src/suite/play/playable-modes.ts';
import { agUiEvents, type Era } from './frames.ts';
import { judgedRun } from './judged-run.ts';
import { mutatedBytes, mutatedLine, mutatedValue } from './mutate.ts';
import type { Random } from './random.ts';
import type { Batch, FrameRow } from './rows.ts';
import { beginEvents, spokenOverHttp, writeBytes, writeEvents } from './spoken.ts';

const mode = 'ag_ui_client';
const protoType = 'application/vnd.ag-ui.event+proto';
const lastEvent = { type: 'RUN_FINISHED', threadId: 't', runId: 'r' };

export const agUiSpoken: readonly FrameRow[] = [
  { protocol: 'ag_ui', wire: 'text/event-stream', role: 'client', eras: ['modern'], play: overEvents },
  { protocol: 'ag_ui', wire: protoType, role: 'client', eras: ['modern'], play: overProto },
  { protocol: 'ag_ui', wire: 'memory', role: 'client', eras: ['modern'], play: overMemory },
];

function overEvents(frames: number, random: Random, era: Era): Promise<Batch> {
  return spokenOverHttp(mode, era, async ({ response }) => {
    beginEvents(response);
    await writeEvents(response, frames, () => mutatedLine(random.pick(agUiEvents), random), [lastEvent]);
    response.end();
  });
}

function overProto(frames: number, random: Random, era: Era): Promise<Batch> {
  const encoder = new EventEncoder({ accept: protoType });
  const written = [...agUiEvents, lastEvent].flatMap((event) => protoOf(encoder, event));
  const last = written.at(-1) ?? Buffer.alloc(0);
  return spokenOverHttp(mode, era, async ({ response }) => {
    response.writeHead(200, { 'content-type': protoType });
    for (let left = frames; left > 0 && !response.destroyed; left--)
      await writeBytes(response, framed(mutatedBytes(random.pick(written), random)));
    await writeBytes(response, framed(last));
    response.end();
  });
}

/** The bytes of an event without its length. An empty list if the official encoder has no message for the event. */
function protoOf(encoder: EventEncoder, event: ValueMap): readonly Buffer[] {
  try {
    return [Buffer.from(encoder.encodeBinary(event as unknown as BaseEvent)).subarray(4)];
  } catch {
    return [];
  }
}

/** The length is always right: after a wrong one, no further frame could be read. */
function framed(event: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(event.length);
  return Buffer.concat([length, event]);
}

function overMemory(frames: number, random: Random): Promise<Batch> {
  async function* voice(): AsyncGenerator<Value> {
    for (let left = frames; left > 0; left--) {
      yield mutatedValue(random.pick(agUiEvents), random);
      if (left % 20 === 0) await new Promise(setImmediate);
    }
    yield lastEvent;
  }
  return judgedRun(mode, {
    modes: [agUiClientMode({ plays: () => true, target: () => voice })],
    limits: { sessionMs: 60_000, graceMs: 0 },
  });
}
