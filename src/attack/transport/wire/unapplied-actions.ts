import type { AppliedWireRule, WirePerformed } from '../../../format/model/applied-wire-rule.ts';
import type { Answered } from '../../engine/ports.ts';

type UnappliedActions = Pick<WirePerformed, 'unapplied'>;

/** Finds the actions of a rule that cannot be carried out here, or would change nothing. */
export function findUnapplied(rule: AppliedWireRule, impossible: readonly string[]): UnappliedActions {
  const unapplied = rule.actions.filter((action) => impossible.includes(action));
  return unapplied.length === 0 ? {} : { unapplied };
}

/** Actions that are carried out while a message is written. */
const whileWritten = [
  'repeat',
  'http',
  'bytes',
  'frame',
  'pace',
  'end',
  'read',
  'stream',
  'sse',
  'grpc',
  'id',
  'batch',
];

/** Lists every action except `done`, for a message that is not written, or is written without its rule. */
export function listUnappliedExcept(rule: AppliedWireRule, ...done: readonly string[]): UnappliedActions {
  return findUnapplied(
    rule,
    whileWritten.filter((action) => !done.includes(action)),
  );
}

/** Reports a message that went out unchanged despite its rule; its id and batch are already in its text. */
export function reportUnapplied(written: Answered, rule: AppliedWireRule): Answered {
  return (wire, cut) => written(wire, cut, listUnappliedExcept(rule, 'id', 'batch'));
}
