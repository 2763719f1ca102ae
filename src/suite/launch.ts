import type { AgentUnderTest, Briefing, RunningAgent } from '../agent/agent.ts';
import type { Clock } from '../engine/ports.ts';

export interface LaunchBounds {
  readonly clock: Clock;
  /** How long an agent may take to come up. */
  readonly withinMs: number;
  readonly signal: AbortSignal | undefined;
}

/** Launches an agent, unless it takes too long or nobody wants it any more; then it is ended as soon as it is up. */
export async function launchAgent(
  agent: AgentUnderTest,
  briefing: Briefing,
  { clock, withinMs, signal }: LaunchBounds,
): Promise<RunningAgent> {
  let cancel = (): void => {};
  let interrupt = (): void => {};
  const given = new Promise<never>((_, reject) => {
    cancel = clock.wakeAt(clock.now() + withinMs, () =>
      reject(new Error(`it was not ready after ${withinMs / 1_000} s`)),
    );
    interrupt = () => reject(new Error('the run was ended'));
    if (signal?.aborted) interrupt();
    signal?.addEventListener('abort', interrupt, { once: true });
  });
  const launching = agent.launch(briefing);
  try {
    return await Promise.race([launching, given]);
  } catch (thrown) {
    void launching.then(
      (late) => late.stop(),
      () => {},
    );
    throw thrown;
  } finally {
    cancel();
    signal?.removeEventListener('abort', interrupt);
  }
}
