import type { Writable } from 'node:stream';
import type { AppliedWireRule, WirePerformed } from '../../../format/model/applied-wire-rule.ts';
import { createFaultyBytes, describeWritten, repeatBytes } from './faulty-bytes.ts';
import { findUnapplied, listUnappliedExcept } from './unapplied-actions.ts';
import { writeSlowly } from './write-slowly.ts';

/** Writes a message as a line, as a rule of the document says. `report` is called once. */
export function writeLine(
  out: Writable,
  text: string,
  rule: AppliedWireRule,
  report: (performed: WirePerformed) => void,
): void {
  const { frame, repeat = 1, stream, pace } = rule;
  // A pipe does not show when an answer has begun.
  const end = rule.end?.when === 'answering' ? undefined : rule.end;
  if (stream === 'silent')
    return void report({ ...listUnappliedExcept(rule, 'stream'), harm: 'nothing of it was sent' });
  if (end?.when === 'before') {
    out.end();
    return void report({ ...listUnappliedExcept(rule, 'end'), harm: 'the output was closed in its place' });
  }
  const {
    bytes: payload,
    isOther,
    harm,
  } = createFaultyBytes(frame === 'newline_inside' ? insertNewline(text) : text, rule);
  const unapplied = findUnapplied(rule, [
    ...['http', 'sse', 'grpc'],
    ...(isOfStreams(stream) ? ['stream'] : []),
    ...(isOther ? [] : ['bytes']),
    ...(end === undefined ? ['end'] : []),
  ]);
  const line = frame === 'no_newline' ? payload : Buffer.concat([payload, newline]);
  const bytes = Buffer.concat(repeatBytes(line, repeat));
  const length = end?.when === 'during' ? Math.floor(bytes.length / 2) : bytes.length;
  writeSlowly(out, bytes.subarray(0, length), pace, (written) => {
    if (end !== undefined) out.end();
    const isAltered = (rule.bytes ?? frame) !== undefined;
    report(describeWritten(bytes, written, { ...unapplied, harm, isOther: isAltered }));
  });
}

const newline = Buffer.from('\n');

function isOfStreams(stream: AppliedWireRule['stream']): boolean {
  return stream === 'endless' || stream === 'comments';
}

/** JSON allows a newline between two tokens; a line does not. */
function insertNewline(text: string): string {
  const at = text.indexOf(',') + 1;
  return `${text.slice(0, at)}\n${text.slice(at)}`;
}
