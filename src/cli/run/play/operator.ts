import { isMessageRecord, type TraceRecord } from '../../../model/trace.ts';
import type { PlayOptions } from '../../../suite/play.ts';
import type { RunSettings } from './run-settings.ts';

// Of an agent that somebody else runs, nobody but the operator knows when it is done. Enter says so: the run ends
// properly, and the next document follows. Ctrl-C breaks off.

export interface Operator {
  /** Whether there is a terminal to say it at. */
  readonly isThere: boolean;
  /** A run begins, which the operator may end. */
  begin(): Required<Pick<PlayOptions, 'control' | 'record'>>;
  /** Nothing more is asked of the operator. */
  leave(): void;
}

export function createOperator({ enterKey, notices }: Pick<RunSettings, 'enterKey' | 'notices'>): Operator {
  let endRun: (() => void) | undefined;
  let hasCome = false;
  const ignore = enterKey?.(() => {
    // An agent that has not been there cannot be done.
    if (hasCome) endRun?.();
    else if (endRun !== undefined)
      void notices.write('oatf: no agent has connected yet; Ctrl-C breaks off\n');
  });
  return {
    isThere: ignore !== undefined,
    begin() {
      hasCome = false;
      return {
        control({ end }) {
          endRun = () => end('operator');
        },
        record(record) {
          hasCome ||= isFromAgent(record);
        },
      };
    },
    leave() {
      endRun = undefined;
      ignore?.();
    },
  };
}

function isFromAgent(record: TraceRecord): boolean {
  return isMessageRecord(record) && record.origin === 'agent';
}
