import type { AppliedWireRule, WireFlood } from '../../format/model/applied-wire-rule.ts';
import type { Value } from '../../format/model/value.ts';
import type { Clock } from './ports.ts';

// Decides when a message with a rule goes out. Only documents with `x-wire` use it.

/** The number of notifications of a flood without pauses that go out before other work gets its turn. */
const floodAtOnce = 100;

interface HeldMessage {
  readonly until: 'next' | 'cancelled';
  readonly id: Value | undefined;
  go(): void;
}

export interface WireTiming {
  /** Calls `go` when the rule says so; `flood` sends one notification of the rule's flood. */
  send(order: AppliedWireRule, id: Value | undefined, go: () => void, flood: (each: WireFlood) => void): void;
  /** Called when an answer has gone out: answers that were held until then follow it. */
  answered(): void;
  /** Called when the peer has cancelled a request. */
  cancelled(id: Value | undefined): void;
  stop(): void;
}

export function createWireTiming(clock: Clock): WireTiming {
  const timers = new Set<() => void>();
  let held: HeldMessage[] = [];

  function after(milliseconds: number, call: () => void): void {
    const cancel = clock.wakeAt(clock.now() + milliseconds, () => {
      timers.delete(cancel);
      call();
    });
    timers.add(cancel);
  }

  function release(isMeant: (each: HeldMessage) => boolean): void {
    const free = held.filter(isMeant);
    held = held.filter((each) => !isMeant(each));
    for (const { go } of free) go();
  }

  function pour(flood: WireFlood, left: number, send: (each: WireFlood) => void, done: () => void): void {
    const now = flood.everyMs === 0 ? Math.min(left, floodAtOnce) : Math.min(left, 1);
    for (let sent = 0; sent < now; sent += 1) send(flood);
    if (left <= now) done();
    else after(flood.everyMs, () => pour(flood, left - now, send, done));
  }

  return {
    send({ delayMs = 0, hold, flood }, id, go, sendOne) {
      const last = hold === undefined ? go : () => void held.push({ until: hold, id, go });
      const then = flood === undefined ? last : () => pour(flood, flood.count, sendOne, last);
      if (delayMs > 0) after(delayMs, then);
      else then();
    },
    answered: () => release(({ until }) => until === 'next'),
    cancelled: (id) => release((each) => each.until === 'cancelled' && each.id === id),
    stop() {
      for (const cancel of timers) cancel();
      held = [];
    },
  };
}
