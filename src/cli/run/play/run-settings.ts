import type { RunLimits } from '../../../attack/engine/run-end.ts';
import type { Exposure } from '../../../attack/transport/exposure/exposure.ts';
import type { RunEntry } from '../../../format/model/results-file.ts';
import type { Redactor } from '../../../secrets/redactor.ts';
import type { ExaminedJudge } from '../../../suite/judging/examined-judge.ts';
import type { OpenSuiteSink } from '../../../suite/store/run-sink.ts';
import type { Io, Sink } from '../../io.ts';
import type { PeerFinder } from '../addresses/connect.ts';
import type { AddressFinder } from '../addresses/listen.ts';
import type { StdioActor } from '../addresses/stdio-actor.ts';
import type { RunValues } from '../settings/layers.ts';
import type { A2aSettings } from '../settings/read-settings.ts';

/** The destination of runs, and the streams that report on them. */
export interface RunDestination {
  readonly path: string;
  /** The same folder, as the user would type it. */
  readonly shown: string;
  readonly sink: OpenSuiteSink;
  /** Aborted when the user interrupts the command. */
  readonly signal: AbortSignal;
  /** For output that people watch. */
  readonly screen: Sink;
  /** For messages that are shown even if only verdicts are asked for. */
  readonly notices: Sink;
  /** Lets the operator say that an agent is done; not set without a terminal. */
  readonly enterKey?: Io['enterKey'] | undefined;
  /** Called after each run is stored. */
  stored?(entry: RunEntry): Promise<void>;
}

export interface CommandRunSettings extends RunDestination {
  readonly values: Pick<RunValues, 'delivery' | 'era' | 'projections' | 'prompt' | 'quiet' | 'verbose' | 'showSecrets'>;
  /** Removes secrets from everything that is stored and shown. */
  readonly redactor?: Redactor | undefined;
  readonly limits: Partial<RunLimits>;
  readonly seed?: number | undefined;
  readonly addresses: AddressFinder;
  readonly targets: PeerFinder;
  readonly a2a?: A2aSettings;
  readonly exposure?: Exposure | undefined;
  readonly stdio?: StdioActor | undefined;
  /** The judge that decides semantic indicators. */
  readonly judge?: ExaminedJudge | undefined;
}

/** The agent of a run that anyone may connect to: its name is not known. */
export const external = { name: 'external', kind: 'external' } as const;
