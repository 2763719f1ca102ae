import type { CommandPeer as Launchable } from '../../../attack/transport/mcp-client/mcp-client-options.ts';
import type { EchoCover } from '../../../secrets/echo-cover.ts';
import type { TurnAnswer } from '../prompt-voice.ts';
import { readOutput } from './command-answer.ts';
import type { CommandSettings } from './command-settings.ts';
import { SupervisedProgram } from './supervised-program.ts';

export interface LaunchedTurn {
  readonly target: Launchable;
  /** The text on its standard input, which is then closed. */
  readonly stdin: string;
  readonly settings: CommandSettings;
  readonly mask: EchoCover;
  readonly deadline: number;
  readonly signal: AbortSignal;
  launched(program: SupervisedProgram): void;
}

/** Launches the program for one turn; its answer is everything that it writes until it ends. */
export async function runLaunchedTurn(turn: LaunchedTurn): Promise<TurnAnswer> {
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
    // Child processes that it left running would otherwise continue in the next turn and after the run.
    await program.leave();
    endTurn();
  }
  const { text, failure } = readOutput(Buffer.concat(chunks), settings, mask.text);
  return { text: program.fit(text), failure: program.failure ?? failure, isCut: program.isCut };
}
