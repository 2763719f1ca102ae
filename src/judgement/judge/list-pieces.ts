import { readWrittenWire } from '../../format/extensions/read-wire.ts';
import type { BindingViews } from '../../format/model/binding-views.ts';
import type { Mode } from '../../format/model/enumeration-types.ts';
import { wireKey } from '../../format/model/extension-keys.ts';
import type {
  NormalizedActor,
  NormalizedDocument,
  NormalizedExecution,
  NormalizedPhase,
} from '../../format/model/normalized.ts';
import { isValueMap, type Value } from '../../format/model/value.ts';
import { findModeSurface, getProtocol, isClientMode } from '../../format/registry/known-modes.ts';
import { findPieceKind, listChanges } from '../../format/registry/piece-kinds.ts';

/** A piece with its position in the document. */
export interface PlacedPiece {
  readonly actor: string;
  readonly mode: Mode;
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
export function listPieces({ attack }: NormalizedDocument, views: readonly BindingViews[]): readonly PlacedPiece[] {
  return attack.execution.actors.flatMap((actor) =>
    actor.phases.flatMap((phase, index) => [
      ...listStatePieces(actor, phase, index, views),
      ...listEntryActionPieces(actor, phase, index),
      ...listWirePieces(attack.execution, actor, index),
    ]),
  );
}

function listStatePieces(
  actor: NormalizedActor,
  phase: NormalizedPhase,
  index: number,
  views: readonly BindingViews[],
): readonly PlacedPiece[] {
  if (phase.state === undefined) return [];
  const protocol = getProtocol(actor.mode);
  const view = views.findLast((each) => each.protocol === protocol);
  return (view?.pieces(actor.mode, phase.state) ?? []).map(({ at, kind, label }) =>
    placePiece(actor, phase, index, { at: `/state${at}`, kind, label }),
  );
}

/** The pieces that a phase sends on entry. `log` actions are for the operator, so they are not pieces. */
function listEntryActionPieces(actor: NormalizedActor, phase: NormalizedPhase, index: number): readonly PlacedPiece[] {
  return (phase.onEnter ?? []).flatMap(({ send, binding }, position) => {
    const at = `/on_enter/${position}`;
    const own = Object.keys(binding ?? {});
    if (send?.method !== undefined) {
      const { method } = send;
      const kind = method.startsWith('notifications/') ? 'entry_notification' : 'entry_request';
      return [placePiece(actor, phase, index, { at, kind, label: `${method} on entry` })];
    }
    // A client asks the agent to do something; a server only tells an agent that may be done.
    const kind = isClientMode(actor.mode) ? 'entry_request' : 'push';
    return own.length === 0 ? [] : [placePiece(actor, phase, index, { at, kind, label: `${own.join(', ')} on entry` })];
  });
}

/** An `x-wire` rule changes how a message is sent. That is part of the attack too, so each rule is a piece. */
function listWirePieces(execution: NormalizedExecution, actor: NormalizedActor, index: number): readonly PlacedPiece[] {
  const phase = actor.phases[index];
  const rules = readWrittenWire(execution, actor, index);
  if (phase === undefined || !Array.isArray(rules)) return [];
  return (rules as readonly Value[]).map((rule, position) => {
    const on = isValueMap(rule) ? String(rule.on) : '';
    const piece = { at: `/${wireKey}/${position}`, kind: 'wire_rule', label: `the x-wire rule for ${on}` };
    return placePiece(actor, phase, index, piece);
  });
}

function placePiece(
  { name, mode }: NormalizedActor,
  phase: NormalizedPhase,
  phaseIndex: number,
  { at, kind, label }: { readonly at: string; readonly kind: string; readonly label: string },
): PlacedPiece {
  const { group, surface, capability } = findPieceKind(kind);
  const ofMode = findModeSurface(mode);
  const isRelisted = phaseIndex > 0 && group === 'listed' && surface !== undefined && surface !== 'instructions';
  return {
    actor: name,
    mode,
    phase: phase.name,
    phaseIndex,
    at: `/phases/${phaseIndex}${at}`,
    kind,
    label,
    surfaces: [ofMode, surface, isRelisted ? listChanges : undefined].filter((each) => each !== undefined),
    ...(capability !== undefined && { capability }),
  };
}
