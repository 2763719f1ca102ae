import { computeOutcome, type Delivery, type DeliveryDemand, type RunOutcome } from '../evaluate/delivery.ts';
import type { NormalizedDocument } from '../model/normalized.ts';
import type { AttackVerdict } from '../model/verdict.ts';
import type { Audience } from './user.ts';

// From what was seen to what people read.

const doorNames: { readonly [mode: string]: string } = {
  ag_ui_client: 'AG-UI',
  mcp_client: 'MCP',
  a2a_client: 'A2A',
};

/** An agent that cannot be spoken to in the attack's way is not attacked by it, and neither resists nor fails. */
export function doorless(
  { attack }: NormalizedDocument,
  { agent, connect }: Audience,
  skipped: readonly string[],
  { result }: AttackVerdict,
): RunOutcome | undefined {
  if (agent === undefined || result === 'exploited' || result === 'partial') return undefined;
  const shut = attack.execution.actors.find(
    (actor) => skipped.includes(actor.name) && actor.mode in doorNames && connect?.(actor) === undefined,
  );
  if (shut === undefined) return undefined;
  const reason = `the agent does not serve ${doorNames[shut.mode]}, so "${shut.name}" cannot speak to it`;
  return { outcome: 'inconclusive', reason };
}

/** A user whom nobody plays is the operator; any other actor that is not played has not delivered anything. */
export function deliveredBy(
  document: NormalizedDocument,
  all: Delivery,
  skipped: readonly string[],
): Delivery {
  const { actors } = document.attack.execution;
  if (actors.length === skipped.length) return {};
  const operators = actors.filter(({ name, mode }) => mode === 'ag_ui_client' && skipped.includes(name));
  const names = operators.map(({ name }) => name);
  return Object.fromEntries(Object.entries(all).filter(([actor]) => !names.includes(actor)));
}

export function outcomeOf(
  error: string | undefined,
  verdict: AttackVerdict,
  delivery: Delivery,
  views: Parameters<typeof computeOutcome>[2],
  demand: DeliveryDemand | undefined,
): RunOutcome {
  if (error !== undefined) return { outcome: 'error', reason: error };
  if (Object.keys(delivery).length === 0)
    return { outcome: 'error', reason: 'no actor of the document could be played' };
  // Such a document is for simulation only: it can be played, but that must not pass for a result.
  if (verdict.indicatorVerdicts.length === 0)
    return { outcome: 'inconclusive', reason: 'the document has no indicators, so there is no verdict' };
  const facts = Object.values(delivery);
  if (verdict.result === 'error' && facts.every(({ reached }) => !reached)) {
    const trouble = facts.find((fact) => fact.trouble !== undefined)?.trouble;
    return {
      outcome: 'error',
      reason: `the agent sent nothing${trouble === undefined ? '' : `: ${trouble}`}`,
    };
  }
  return computeOutcome(verdict, delivery, views, demand);
}
