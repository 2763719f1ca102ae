import type { RunLimits } from '../../../engine/run-end.ts';
import type { RunEntry } from '../../../model/results.ts';
import type { Redactor } from '../../../secrets/redactor.ts';
import type { ExaminedJudge } from '../../../suite/judging/examined-judge.ts';
import type { OpenSink } from '../../../suite/sink.ts';
import type { Exposure } from '../../../transport/exposure/exposure.ts';
import type { Io, Sink } from '../../io.ts';
import type { Targets } from '../places/connect.ts';
import type { Addresses } from '../places/listen.ts';
import type { StdioActor } from '../places/stdio.ts';
import type { RunValues } from '../settings/layers.ts';
import type { A2aSettings } from '../settings/read-settings.ts';

/** Where runs go, and who is told of them. */
export interface Place {
  /** The folder of results. */
  readonly path: string;
  /** The same as the user would type it. */
  readonly shown: string;
  readonly sink: OpenSink;
  /** Aborted when the user ends the call. */
  readonly signal: AbortSignal;
  /** For what people look at. */
  readonly screen: Sink;
  /** For what must be said even when only verdicts are asked for. */
  readonly notices: Sink;
  /** Where the operator can say that an agent is done. */
  readonly enterKey?: Io['enterKey'] | undefined;
  /** Hears of each run that is stored. */
  stored?(entry: RunEntry): Promise<void>;
}

/** What every run of a call has in common. */
export interface RunSettings extends Place {
  readonly values: Pick<
    RunValues,
    'delivery' | 'era' | 'projections' | 'prompt' | 'quiet' | 'verbose' | 'showSecrets'
  >;
  /** What is taken out of whatever is stored and shown, where secrets are. */
  readonly redactor?: Redactor | undefined;
  readonly limits: Partial<RunLimits>;
  readonly seed?: number | undefined;
  readonly addresses: Addresses;
  readonly targets: Targets;
  readonly a2a?: A2aSettings;
  readonly exposure?: Exposure | undefined;
  readonly stdio?: StdioActor | undefined;
  /** Who decides semantic indicators. */
  readonly judge?: ExaminedJudge | undefined;
}

/** Whoever connects is not known by name. */
export const external = { name: 'external', kind: 'external' } as const;
