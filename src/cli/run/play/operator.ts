import { isMessageRecord, type TraceRecord } from '../../../format/model/trace-record.ts';
import type { PlayOptions } from '../../../suite/play/play-run.ts';
import type { CommandRunSettings } from './run-settings.ts';

// If someone else runs the agent, only the operator knows when it is done. With Enter, the run ends properly and the
// next document follows. Ctrl-C aborts.

export interface Operator {
  /** Whether there is a terminal on which the operator can press Enter. */
  readonly isThere: boolean;
  /** Begins a run that the operator may end. */
  begin(): Required<Pick<PlayOptions, 'control' | 'record'>>;
  /** Stops listening to the operator. */
  leave(): void;
}

export function createOperator({ enterKey, notices }: Pick<CommandRunSettings, 'enterKey' | 'notices'>): Operator {
  let endRun: (() => void) | undefined;
  let hasCome = false;
  const ignore = enterKey?.(() => {
    // An agent that never connected cannot be done.
    if (hasCome) endRun?.();
    else if (endRun !== undefined) void notices.write('oatf: no agent has connected yet; Ctrl-C breaks off\n');
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
