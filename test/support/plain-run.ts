import type { Incoming } from '../../src/attack/engine/actor-messages.ts';
import type { Act, ClientBinding } from '../../src/attack/engine/binding.ts';
import type { PlayableMode, RunOptions } from '../../src/attack/engine/run-document.ts';
import type { RunLimits } from '../../src/attack/engine/run-end.ts';
import type { NormalizedDocument } from '../../src/format/model/normalized.ts';
import { documentWith } from './records.ts';
import { client, server } from './stepped.ts';
import { playVirtually, type VirtualRun, VirtualTransport } from './virtual-run.ts';

// Runs of actors with bindings that mean nothing: servers answer everything with an empty result, clients make one call.

export const serverActor = (name: string, ...phases: object[]) => ({
  name,
  mode: 'mcp_server',
  phases: phases.length === 0 ? [{ state: {} }] : phases,
});
export const clientActor = (name: string, ...phases: object[]) => ({
  name,
  mode: 'ag_ui_client',
  phases: phases.length === 0 ? [{ state: {} }] : phases,
});
export const documentOf = (...actors: object[]): NormalizedDocument => documentWith({ execution: { actors } });
/** What each client of these runs does. */
export const call: Act = { method: 'm', content: () => ({}) };

/** Plays servers that answer everything with nothing, and clients that make one call. */
export async function play(
  given: NormalizedDocument,
  limits: Partial<RunLimits> = {},
  more: Partial<RunOptions> = {},
  binding: Partial<ClientBinding> = {},
): Promise<VirtualRun> {
  const transports = new Map<string, VirtualTransport>();
  const transport = ({ name }: { readonly name: string }): VirtualTransport => {
    const made = new VirtualTransport();
    transports.set(name, made);
    return made;
  };
  const modes: PlayableMode[] = [
    { binding: server(), transport },
    { binding: client([call], binding), transport },
  ];
  const virtual = await playVirtually(given, limits, { modes, ...more });
  return {
    ...virtual,
    peer: (actor = 'a') => transports.get(actor) ?? new VirtualTransport(),
  };
}
export const one = documentOf(serverActor('a'));
export const both = documentOf(serverActor('a'), clientActor('user'));
export const request: Incoming = {
  kind: 'request',
  session: 's',
  exchange: 'x',
  method: 'm',
  id: 1,
  params: {},
};
/** Moves the clock, and lets the run close. */
export async function wait({ clock }: VirtualRun, milliseconds: number): Promise<void> {
  clock.advance(milliseconds);
  for (let turn = 0; turn < 5; turn += 1) await Promise.resolve();
}
