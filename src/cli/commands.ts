import type { CommandOutcome } from './command-outcome.ts';
import type { ArgumentsOf, CommandRow, Flag } from './command-row.ts';
import { agentCommands } from './command-table/agents-commands.ts';
import { checkCommands } from './command-table/check-commands.ts';
import { judgeCommands } from './command-table/judge-commands.ts';
import { libraryCommands, resultsCommands } from './command-table/results-commands.ts';
import { demoCommands, runCommands } from './command-table/run-commands.ts';
import { writeCommands } from './command-table/write-commands.ts';
import type { Io } from './io.ts';

export const toolCommands = {
  completion: {
    operand: { name: 'SHELL', required: true, choices: ['bash', 'zsh', 'fish'] },
    flags: [],
  },
  help: {
    operand: { name: 'COMMAND', completes: 'commands' },
    flags: [{ name: 'all' }],
  },
} as const satisfies { readonly [name: string]: CommandRow };

// The table from which the parser, the help texts and the shell completions are made.

export const commands = {
  ...demoCommands,
  ...runCommands,
  ...resultsCommands,
  ...libraryCommands,
  ...agentCommands,
  ...writeCommands,
  ...checkCommands,
  ...judgeCommands,
  ...toolCommands,
} as const;

export type CommandName = keyof typeof commands;
export type Arguments<N extends CommandName> = ArgumentsOf<(typeof commands)[N]>;
export type Command<N extends CommandName> = (values: Arguments<N>, io: Io) => Promise<CommandOutcome>;

export interface Invocation {
  readonly name: CommandName;
  readonly values: { readonly [name: string]: unknown };
}

export const commonFlags: readonly Flag[] = [{ name: 'help', short: 'h' }, { name: 'debug' }];

export const commandLoaders: { readonly [N in CommandName]: () => Promise<Command<N>> } = {
  demo: async () => (await import('./commands/demo-command.ts')).runDemoCommand,
  run: async () => (await import('./commands/run-command.ts')).runAttacks,
  report: async () => (await import('./commands/report-command.ts')).runReportCommand,
  merge: async () => (await import('./commands/merge-command.ts')).runMergeCommand,
  bless: async () => (await import('./commands/bless-command.ts')).runBlessCommand,
  list: async () => (await import('./commands/list-command.ts')).runListCommand,
  agent: async () => (await import('./commands/agent-command.ts')).runAgentCommand,
  bridge: async () => (await import('./commands/bridge-command.ts')).runBridgeCommand,
  new: async () => (await import('./commands/new-command.ts')).runNewCommand,
  test: async () => (await import('./commands/test-command.ts')).runTestCommand,
  try: async () => (await import('./commands/try-command.ts')).runTryCommand,
  record: async () => (await import('./commands/record-command.ts')).runRecordCommand,
  poison: async () => (await import('./commands/poison-command.ts')).runPoisonCommand,
  mark: async () => (await import('./commands/mark-command.ts')).runMarkCommand,
  validate: async () => (await import('./commands/validate-command.ts')).runValidateCommand,
  fmt: async () => (await import('./commands/fmt-command.ts')).runFmtCommand,
  convert: async () => (await import('./commands/convert-command.ts')).runConvertCommand,
  normalize: async () => (await import('./commands/normalize-command.ts')).runNormalizeCommand,
  explain: async () => (await import('./commands/explain-command.ts')).runExplainCommand,
  schema: async () => (await import('./commands/schema-command.ts')).runSchemaCommand,
  doctor: async () => (await import('./commands/doctor-command.ts')).runDoctorCommand,
  init: async () => (await import('./commands/init-command.ts')).runInitCommand,
  evaluate: async () => (await import('./commands/evaluate-command.ts')).runEvaluateCommand,
  trace: async () => (await import('./commands/trace-command.ts')).runTraceCommand,
  completion: async () => (await import('./commands/completion-command.ts')).runCompletionCommand,
  help: async () => (await import('./help-text.ts')).runHelpCommand,
};

export function isCommandName(name: string): name is CommandName {
  return Object.hasOwn(commands, name);
}
