import type { NormalizedDocument } from '../../model/normalized.ts';
import { type ActorFlag, readActorFlag, type SaidOf } from './actor-flag.ts';
import { isHttpUrl } from './agents.ts';
import type { WrongUsage } from './wrong-usage.ts';

interface Target {
  readonly url: string;
}

/** Whom an actor speaks to; nothing for one that speaks to the agent. */
export type Targets = SaidOf<Target>;

const connect: ActorFlag<Target> = {
  name: 'connect',
  does: 'connect',
  kind: 'client',
  example: 'http://127.0.0.1:8000/',
  isMeant: ({ mode }) => mode === 'ag_ui_client',
  read: (url) =>
    isHttpUrl(url)
      ? { url }
      : {
          problem: 'this is not [ACTOR=]URL',
          hint: 'such as http://127.0.0.1:8000/ or user=http://127.0.0.1:8000/',
        },
};

/** What `--connect` was given. */
export function readConnect(
  typed: readonly string[],
  documents: readonly NormalizedDocument[],
): Targets | WrongUsage {
  return readActorFlag(connect, typed, documents);
}
