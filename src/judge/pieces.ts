import type { Mode } from '../model/enumerations.ts';
import type {
  NormalizedActor,
  NormalizedDocument,
  NormalizedExecution,
  NormalizedPhase,
} from '../model/normalized.ts';
import { isValueMap, type Value } from '../model/value.ts';
import type { BindingViews } from '../model/views.ts';
import { extractProtocol } from '../primitives/extract-protocol.ts';
import { writtenWire } from '../primitives/written-wire.ts';
import { listChanges, pieceKind } from '../registry/pieces.ts';

/** A piece with its position in the document. */
export interface PlacedPiece {
  readonly actor: string;
  readonly mode: Mode;
  /** The phase that writes the piece. */
  readonly phase: string;
  readonly phaseIndex: number;
  /** JSON Pointer into the normalized actor, as records carry it. */
  readonly at: string;
  readonly kind: string;
  readonly label: string;
  /** The surfaces that the agent must have to receive the piece. */
  readonly surfaces: readonly string[];
  readonly capability?: string;
}

/** Lists every piece of a document that can be put on the wire. */
export function piecesOf(
  { attack }: NormalizedDocument,
  views: readonly BindingViews[],
): readonly PlacedPiece[] {
  return attack.execution.actors.flatMap((actor) =>
    actor.phases.flatMap((phase, index) => [
      ...statePieces(actor, phase, index, views),
      ...entryPieces(actor, phase, index),
      ...wirePieces(attack.execution, actor, index),
    ]),
  );
}

function statePieces(
  actor: NormalizedActor,
  phase: NormalizedPhase,
  index: number,
  views: readonly BindingViews[],
): readonly PlacedPiece[] {
  if (phase.state === undefined) return [];
  const protocol = extractProtocol(actor.mode);
  const view = views.findLast((each) => each.protocol === protocol);
  return (view?.pieces(actor.mode, phase.state) ?? []).map(({ at, kind, label }) =>
    place(actor, phase, index, { at: `/state${at}`, kind, label }),
  );
}

/** The pieces that a phase sends on entry. `log` actions are for the operator, so they are not pieces. */
function entryPieces(actor: NormalizedActor, phase: NormalizedPhase, index: number): readonly PlacedPiece[] {
  return (phase.onEnter ?? []).flatMap(({ send, binding }, position) => {
    const at = `/on_enter/${position}`;
    const own = Object.keys(binding ?? {});
    if (send?.method !== undefined) {
      const { method } = send;
      const kind = method.startsWith('notifications/') ? 'entry_notification' : 'entry_request';
      return [place(actor, phase, index, { at, kind, label: `${method} on entry` })];
    }
    return own.length === 0
      ? []
      : [place(actor, phase, index, { at, kind: 'push', label: `${own.join(', ')} on entry` })];
  });
}

/** An `x-wire` rule changes how a message is sent. That is part of the attack too, so each rule is a piece. */
function wirePieces(
  execution: NormalizedExecution,
  actor: NormalizedActor,
  index: number,
): readonly PlacedPiece[] {
  const phase = actor.phases[index];
  const rules = writtenWire(execution, actor, index);
  if (phase === undefined || !Array.isArray(rules)) return [];
  return (rules as readonly Value[]).map((rule, position) => {
    const on = isValueMap(rule) ? String(rule.on) : '';
    const piece = { at: `/x-wire/${position}`, kind: 'wire_rule', label: `the x-wire rule for ${on}` };
    return place(actor, phase, index, piece);
  });
}

function place(
  { name, mode }: NormalizedActor,
  phase: NormalizedPhase,
  phaseIndex: number,
  { at, kind, label }: { readonly at: string; readonly kind: string; readonly label: string },
): PlacedPiece {
  const { group, surface, capability } = pieceKind(kind);
  const isRelisted =
    phaseIndex > 0 && group === 'listed' && surface !== undefined && surface !== 'instructions';
  return {
    actor: name,
    mode,
    phase: phase.name,
    phaseIndex,
    at: `/phases/${phaseIndex}${at}`,
    kind,
    label,
    surfaces: [...(surface === undefined ? [] : [surface]), ...(isRelisted ? [listChanges] : [])],
    ...(capability !== undefined && { capability }),
  };
}
