import type { Io } from './io.ts';
import type { CommandOutcome } from './outcome.ts';
import { agentsRows } from './rows/agents.ts';
import { checkRows } from './rows/check.ts';
import { demoRows } from './rows/demo.ts';
import { judgeRows } from './rows/judge.ts';
import { libraryRows } from './rows/library.ts';
import { resultsRows } from './rows/results.ts';
import { runRows } from './rows/run.ts';
import { toolRows } from './rows/tool.ts';
import { writeRows } from './rows/write.ts';
import type { ArgumentsOf, Flag } from './table.ts';

// The table from which the parser, the help texts and the shell completions are made.

export const commands = {
  ...demoRows,
  ...runRows,
  ...resultsRows,
  ...libraryRows,
  ...agentsRows,
  ...writeRows,
  ...checkRows,
  ...judgeRows,
  ...toolRows,
} as const;

export type CommandName = keyof typeof commands;
export type Arguments<N extends CommandName> = ArgumentsOf<(typeof commands)[N]>;
export type Command<N extends CommandName> = (values: Arguments<N>, io: Io) => Promise<CommandOutcome>;

/** A command with its parsed values. */
export interface Invocation {
  readonly name: CommandName;
  readonly values: { readonly [name: string]: unknown };
}

export const commonFlags: readonly Flag[] = [
  { name: 'help', short: 'h', description: 'print this help' },
  { name: 'debug', description: 'show a stack trace if oatf itself fails' },
];

export const loaders: { readonly [N in CommandName]: () => Promise<Command<N>> } = {
  demo: async () => (await import('./commands/demo.ts')).demo,
  run: async () => (await import('./commands/run.ts')).run,
  report: async () => (await import('./commands/report.ts')).report,
  merge: async () => (await import('./commands/merge.ts')).merge,
  bless: async () => (await import('./commands/bless.ts')).bless,
  list: async () => (await import('./commands/list.ts')).list,
  show: async () => (await import('./commands/show.ts')).show,
  agent: async () => (await import('./commands/agent.ts')).agent,
  bridge: async () => (await import('./commands/bridge.ts')).bridge,
  new: async () => (await import('./commands/new.ts')).newDocument,
  test: async () => (await import('./commands/test.ts')).test,
  try: async () => (await import('./commands/try.ts')).tryOut,
  record: async () => (await import('./commands/record.ts')).record,
  poison: async () => (await import('./commands/poison.ts')).poisonDocument,
  validate: async () => (await import('./commands/validate.ts')).validate,
  fmt: async () => (await import('./commands/fmt.ts')).fmt,
  convert: async () => (await import('./commands/convert.ts')).convertDocuments,
  normalize: async () => (await import('./commands/normalize.ts')).normalizeDocument,
  explain: async () => (await import('./commands/explain.ts')).explain,
  schema: async () => (await import('./commands/schema.ts')).schema,
  doctor: async () => (await import('./commands/doctor.ts')).doctor,
  init: async () => (await import('./commands/init.ts')).init,
  evaluate: async () => (await import('./commands/evaluate.ts')).evaluate,
  trace: async () => (await import('./commands/trace.ts')).trace,
  completion: async () => (await import('./commands/completion.ts')).completion,
  help: async () => (await import('./commands/help.ts')).help,
};

export function isCommandName(name: string): name is CommandName {
  return Object.hasOwn(commands, name);
}
