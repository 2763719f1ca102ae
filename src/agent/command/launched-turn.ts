import type { EchoCover } from '../../secrets/echoes.ts';
import type { CommandPeer as Launchable } from '../../transport/json-rpc-client/options.ts';
import type { Said } from '../prompt-voice.ts';
import { readOutput } from './answers.ts';
import type { CommandSettings } from './settings.ts';
import { SupervisedProgram } from './supervised-program.ts';

export interface LaunchedTurn {
  readonly target: Launchable;
  /** What it reads on its standard input, which ends then. */
  readonly stdin: string;
  readonly settings: CommandSettings;
  readonly mask: EchoCover;
  readonly deadline: number;
  readonly signal: AbortSignal;
  launched(program: SupervisedProgram): void;
}

/** One launch for one turn: what the program writes until it ends is the answer. */
export async function launchedTurn(turn: LaunchedTurn): Promise<Said> {
  const { target, stdin, settings, mask, deadline, signal } = turn;
  const chunks: Buffer[] = [];
  const program = await SupervisedProgram.launch(target, {
    limits: settings,
    mask,
    deadline,
    output: (chunk) => void chunks.push(chunk),
  });
  turn.launched(program);
  const endTurn = program.beginTurn(signal);
  try {
    if (stdin !== '') program.write(stdin);
    program.endInput();
    await program.over;
  } finally {
    // What it has left behind would go on in the next turn, and after the run.
    await program.leave();
    endTurn();
  }
  const { text, failure } = readOutput(Buffer.concat(chunks), settings, mask.text);
  return { text: program.fit(text), failure: program.failure ?? failure, isCut: program.isCut };
}
