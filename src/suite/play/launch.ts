import type { AgentUnderTest, Briefing, RunningAgent } from '../../agents/adapters/agent-under-test.ts';
import type { Clock } from '../../attack/engine/ports.ts';

export interface LaunchBounds {
  readonly clock: Clock;
  /** How long an agent may take to start. */
  readonly withinMs: number;
  readonly signal: AbortSignal | undefined;
}

/**
 * Launches an agent. A launch that takes too long is an error; a launch that was aborted returns undefined. In both
 * cases the agent is stopped as soon as it is up.
 */
export async function launchAgent(
  agent: AgentUnderTest,
  briefing: Briefing,
  { clock, withinMs, signal }: LaunchBounds,
): Promise<RunningAgent | undefined> {
  if (signal?.aborted) return undefined;
  let cancel = (): void => {};
  let interrupt = (): void => {};
  const given = new Promise<undefined>((resolve, reject) => {
    cancel = clock.wakeAt(clock.now() + withinMs, () =>
      reject(new Error(`it was not ready after ${withinMs / 1_000} s`)),
    );
    interrupt = () => resolve(undefined);
    signal?.addEventListener('abort', interrupt, { once: true });
  });
  const launching = agent.launch(briefing);
  let running: RunningAgent | undefined;
  try {
    running = await Promise.race([launching, given]);
    return running;
  } finally {
    if (running === undefined)
      void launching.then(
        (late) => late.stop(),
        () => {},
      );
    cancel();
    signal?.removeEventListener('abort', interrupt);
  }
}
