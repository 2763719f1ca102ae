import { builtInAgentNames } from '../agent/built-in-agents.ts';
import { enumerations } from '../registry/enumerations.ts';
import type { Io } from './io.ts';
import type { Outcome } from './outcome.ts';
import type { ArgumentsOf, CommandRow, Flag } from './table.ts';

// One table: the parser, the help texts and the shell completions are made from it.

const documents = {
  name: 'DOCUMENTS',
  many: true,
  completes: 'ids or files',
  description:
    'files, folders (their *.yaml and *.yml), patterns such as "**/*.yaml", ids of the library such as OATS-003 or "OATS-01*", or - for standard input',
} as const;

const oneDocument = {
  name: 'DOCUMENT',
  required: true,
  completes: 'ids or files',
  description: 'an OATF document, an id of the library such as OATS-003, or - for standard input',
} as const;

const fileWins = 'Where a file or folder has the name of an id, it is what is meant.';

/** Which of the documents; every command that takes many can take these. */
const filters = [
  { name: 'tag', value: 'TAG', many: true, description: 'only documents with this tag' },
  {
    name: 'severity',
    value: 'LEVEL',
    many: true,
    choices: enumerations.SeverityLevel,
    description: 'only documents of this severity',
  },
  {
    name: 'category',
    value: 'CATEGORY',
    many: true,
    choices: enumerations.Category,
    description: 'only documents of this category',
  },
  {
    name: 'protocol',
    value: 'PROTOCOL',
    many: true,
    description: 'only documents that attack over this protocol, such as mcp, a2a or ag_ui',
  },
  {
    name: 'id',
    value: 'ID',
    many: true,
    description: 'only documents of this id, in which * and ? stand for anything',
  },
] as const;

const filtersCombine =
  'A filter may be given more than once: documents pass that fit any value of each filter.';

const stdinName = {
  name: 'stdin-name',
  value: 'NAME',
  description: 'what to call standard input in messages',
} as const;

const showSecrets = {
  name: 'show-secrets',
  description: 'show well-known shapes of secrets as they are',
} as const;

const lenient = {
  name: 'lenient',
  description: 'skip trace lines that are wrong, and say how many',
} as const;

const out = {
  name: 'out',
  short: 'o',
  value: 'DIR',
  description: 'where results go; oatf-results/ and the time if left out',
} as const;
const resultsJson = {
  name: 'json',
  description: 'print results.json at the end; everything else goes to stderr',
} as const;
const verdictsOnly = { name: 'quiet', short: 'q', description: 'print verdicts only, a line each' } as const;

const usage = [64, 'wrong usage'] as const;
const invalid = [65, 'an invalid document'] as const;
const unreadable = [66, 'an input that cannot be read'] as const;

export const commands = {
  demo: {
    group: 'Attack agents',
    summary: 'the whole library against the two built-in agents; no set-up',
    flags: [out, resultsJson, verdictsOnly, showSecrets],
    notes: [
      'Everything happens on this machine. What was sent and what came of it is stored, as run does it.',
    ],
    examples: [['oatf demo', 'see what attacks look like']],
    exits: [
      [0, 'every attack succeeds with gullible and fails with guarded'],
      [1, 'at least one does not'],
      usage,
      [69, 'the library, a port or a folder that is not available'],
      [130, 'interrupted; what was finished is on disk'],
    ],
  },
  run: {
    group: 'Attack agents',
    summary: 'attack an agent, or wait for one to connect, and judge what it does',
    operand: { ...documents, description: `${documents.description}; the library if left out` },
    flags: [
      {
        name: 'agent',
        short: 'a',
        value: 'AGENT',
        many: true,
        description:
          'what to attack: gullible or guarded, which are built in, or ag-ui:URL; more than once for several columns; without it, an agent is waited for',
      },
      {
        name: 'connect',
        value: 'TARGET',
        many: true,
        description: 'whom a client actor speaks to, as [ACTOR=]URL, once for each; the agent if left out',
      },
      {
        name: 'prompt',
        short: 'p',
        value: 'TEXT',
        description: 'what the user says to the agent where the document leaves it open',
      },
      {
        name: 'listen',
        value: 'ADDRESS',
        many: true,
        description:
          'where a server actor listens, as [ACTOR=]HOST:PORT, once for each; a free port of 127.0.0.1 if left out',
      },
      {
        name: 'timeout',
        value: 'DURATION',
        description: 'how long a run may take from its first traffic on; 2m if left out',
      },
      {
        name: 'grace-period',
        value: 'DURATION',
        description: 'how long to go on watching once the agent has left; the document’s, or 2s, if left out',
      },
      {
        name: 'delivery',
        value: 'HOW',
        choices: ['delivered', 'engaged', 'all-phases'],
        default: 'delivered',
        description: 'how much of an attack must have got through for "resisted"',
      },
      out,
      resultsJson,
      verdictsOnly,
      { name: 'verbose', short: 'v', description: 'show what messages hold' },
      { name: 'redact', description: 'mask well-known shapes of secrets in what is stored, for good' },
      { name: 'no-projections', description: 'hold indicators against wire messages only' },
      showSecrets,
      ...filters,
    ],
    notes: [
      'Documents are played one after the other, against each agent in turn. A run ends when the agent has answered or left, at the time limit, or on Ctrl-C, which ends them all: what has happened is judged and stored. A second Ctrl-C ends at once.',
      'An agent that is already running (ag-ui:URL) cannot learn where the attack listens: give its server actors a fixed place with --listen, and configure the agent to use it.',
      'Servers listen on this machine only. They play an attacker: connect an agent that you may attack.',
      'DURATION is as in documents: 30s, 5m, 1h or ISO 8601 such as PT30S.',
      'Traces, documents and verdicts are stored readable by their owner only. They hold what the agent sent, secrets included, unless --redact.',
    ],
    examples: [
      ['oatf run --agent guarded', 'the whole library against a built-in agent'],
      ['oatf run OATS-003 attack.yaml --agent gullible --agent guarded', 'two attacks, two columns'],
      ['oatf run attack.yaml --agent ag-ui:http://127.0.0.1:8000/ --listen 127.0.0.1:8080', 'your own agent'],
      ['oatf run attack.yaml', 'wait for an agent to connect'],
      ['oatf run attack.yaml --listen 127.0.0.1:8080', 'where an agent is already set up to look'],
      ['oatf run attacks/ --json --quiet > results.json', 'for scripts'],
    ],
    exits: [
      [0, 'every attack was delivered and resisted'],
      [1, 'at least one succeeded, or in part'],
      [2, 'none succeeded, but at least one is inconclusive or failed'],
      usage,
      [65, 'an invalid document, or one without indicators; nothing was run'],
      unreadable,
      [69, 'a port or folder that is not available'],
      [130, 'interrupted; what was finished is on disk'],
    ],
  },
  list: {
    group: 'Attack agents',
    summary: 'list the attacks that ship with this tool, or documents of yours',
    operand: { ...documents, description: `${documents.description}; the library if left out` },
    flags: [...filters, { name: 'json', description: 'print the list as JSON' }],
    notes: [
      filtersCombine,
      'json is one object: { version, tool, documents: [{ id?, name, status, severity?, category?, impact, tags, protocols, modes, tiers, mappings: [{ framework, id, name?, url?, relationship? }], file }], total }; total counts those that did not pass, too.',
    ],
    examples: [
      ['oatf list', 'the whole library'],
      ['oatf list --severity high --severity critical --protocol mcp', 'the gravest of one protocol'],
      ['oatf list --json --tag exfiltration | jq -r ".documents[].id"', 'for scripts'],
      ['oatf list attacks/', 'documents of yours'],
    ],
    exits: [
      [0, 'listed, even if no document passed'],
      [64, 'wrong usage, or a filter that no document can pass'],
      [65, 'a document that cannot be parsed; the others are listed'],
      unreadable,
      [69, 'the library is not there'],
    ],
  },
  show: {
    group: 'Attack agents',
    summary: 'show what one attack is about',
    operand: {
      name: 'ID',
      required: true,
      completes: 'ids or files',
      description: 'an id of the library such as OATS-003, a file, or - for standard input',
    },
    flags: [
      { name: 'source', description: 'print the document as it is written' },
      { name: 'json', description: 'print what is known of it as JSON' },
    ],
    notes: [
      fileWins,
      'json is what list has of it, and: { version, author?, created?, modified?, description?, references: [{ url, title?, description? }], actors: [{ name, mode, phases }], indicators: [{ id, protocol, surface?, tier?, severity?, description? }], logic? }.',
    ],
    examples: [
      ['oatf show OATS-003', 'what it does, to whom, and how it is told that it worked'],
      ['oatf show OATS-003 --source > mine.yaml', 'to change it'],
    ],
    exits: [[0, 'shown'], usage, invalid, [66, 'no such id, or an input that cannot be read']],
  },
  agent: {
    group: 'Attack agents',
    summary: 'serve a built-in agent by itself, over AG-UI',
    operand: {
      name: 'NAME',
      required: true,
      choices: builtInAgentNames,
      description: 'gullible follows every instruction that it reads anywhere; guarded only its user’s',
    },
    flags: [
      { name: 'port', short: 'p', value: 'PORT', description: 'where it listens; a free one if left out' },
      { name: 'host', value: 'HOST', description: 'a loopback address; 127.0.0.1 if left out' },
      {
        name: 'mcp-config',
        value: 'FILE',
        description:
          'the MCP servers that it may use, as {"mcpServers": {NAME: {"type": "http", "url": URL}}}',
      },
      { name: 'json', description: 'print where it is as one line of JSON: { name, ag_ui }' },
    ],
    notes: [
      'The address of its AG-UI door is the first line on standard output, printed once it can be spoken to.',
      'It serves until Ctrl-C. It does what it is asked by anybody who reaches it, so it listens on this machine only.',
    ],
    examples: [
      ['oatf agent gullible', 'on a free port'],
      ['oatf agent guarded --port 8000 --mcp-config mcp.json', 'with servers to use'],
    ],
    exits: [
      usage,
      [65, 'an MCP configuration that cannot be used'],
      unreadable,
      [69, 'a port that is not available'],
      [130, 'ended by Ctrl-C'],
    ],
  },
  validate: {
    group: 'Write documents',
    summary: 'check documents: every problem with its place, a code frame and a hint',
    operand: documents,
    flags: [
      {
        name: 'format',
        short: 'f',
        value: 'FORMAT',
        choices: ['text', 'json', 'sarif', 'github'],
        default: 'text',
        description: 'how to report',
      },
      { name: 'warnings-as-errors', short: 'W', description: 'a warning fails the check too' },
      { name: 'quiet', short: 'q', description: 'report errors only' },
      { name: 'watch', short: 'w', description: 'check again whenever a file changes' },
      stdinName,
    ],
    notes: [
      'json is one object: { version, tool, files: [{ file, valid, unreadable?, diagnostics: [{ severity, code, path, message, hint?, range: { start, end } }] }], summary }; lines and columns count from 1, offsets from 0, all in UTF-16 units.',
      'sarif is SARIF 2.1.0, for code scanning; github is workflow commands, which annotate a pull request.',
    ],
    examples: [
      ['oatf validate attacks/', 'every document under a folder'],
      ['oatf validate "attacks/**/*.yaml" --warnings-as-errors', 'a pattern, strictly'],
      ['cat attack.yaml | oatf validate', 'standard input'],
      ['oatf validate attacks --format sarif > oatf.sarif', 'for code scanning'],
    ],
    exits: [[0, 'every document is valid'], usage, invalid, unreadable],
  },
  fmt: {
    group: 'Write documents',
    summary: 'rewrite documents in canonical field order and style, comments kept',
    operand: {
      ...documents,
      completes: 'files',
      description:
        'files, folders (their *.yaml and *.yml), patterns such as "**/*.yaml", or - for standard input',
    },
    flags: [
      { name: 'check', description: 'write nothing; list what would change' },
      { name: 'diff', description: 'write nothing; show what would change' },
      stdinName,
    ],
    notes: [
      'Files are rewritten in place and the changed ones listed; standard input goes to standard output.',
      'A document that cannot be parsed is reported and left as it is.',
    ],
    examples: [
      ['oatf fmt attacks/', 'rewrite what is not canonical'],
      ['oatf fmt --check attacks/', 'for CI: exit 1 if anything would change'],
      ['oatf fmt --diff attack.yaml', 'look first'],
    ],
    exits: [
      [0, 'done; with --check: nothing would change'],
      [1, 'with --check: something would change'],
      usage,
      invalid,
      unreadable,
      [69, 'a file that cannot be written'],
    ],
  },
  normalize: {
    group: 'Write documents',
    summary: 'print the expanded form: defaults filled in, shorthands spelt out',
    operand: oneDocument,
    flags: [
      {
        name: 'format',
        short: 'f',
        value: 'FORMAT',
        choices: ['yaml', 'json'],
        default: 'yaml',
        description: 'what to print',
      },
    ],
    examples: [
      ['oatf normalize attack.yaml', 'as YAML'],
      ['oatf normalize attack.yaml --format json | jq .attack.indicators', 'for other tools'],
    ],
    exits: [[0, 'printed'], usage, invalid, unreadable],
  },
  explain: {
    group: 'Write documents',
    summary: 'say what an attack does, or what a diagnostic code means',
    operand: {
      name: 'DOCUMENT|CODE',
      completes: 'codes, ids or files',
      description:
        'an OATF document, an id of the library such as OATS-003, or a code such as V-008, W-002 or N-003; without, every code is listed',
    },
    flags: [
      { name: 'diagram', description: 'the attack as a Mermaid sequence diagram' },
      { name: 'json', description: 'print codes as JSON' },
    ],
    notes: ['What is there as a file, or ends in .yaml or .yml, is taken for a document.'],
    examples: [
      ['oatf explain attack.yaml', 'what it does, actor by actor and phase by phase'],
      ['oatf explain attack.yaml --diagram > attack.mmd', 'for a Markdown page or the Mermaid editor'],
      ['oatf explain V-008', 'one code, with a wrong and a right example'],
      ['oatf explain', 'all codes'],
    ],
    exits: [[0, 'printed'], [64, 'wrong usage, or no such code'], invalid, unreadable],
  },
  schema: {
    group: 'Write documents',
    summary: 'print the JSON Schema of OATF documents, for editors',
    flags: [{ name: 'out', short: 'o', value: 'FILE', description: 'write it to a file instead' }],
    examples: [['oatf schema --out oatf.schema.json', 'for the YAML extension of an editor']],
    exits: [[0, 'printed'], usage, [69, 'a file that cannot be written']],
  },
  evaluate: {
    group: 'Judge recorded runs',
    summary: 'judge a recorded run by the indicators of a document; nothing is run',
    operand: oneDocument,
    flags: [
      {
        name: 'trace',
        short: 't',
        value: 'FILE',
        required: true,
        description:
          'the recorded run, JSON Lines, in the shape of OATF or ThoughtJack; - for standard input',
      },
      { name: 'json', description: 'print the verdict as JSON' },
      { name: 'no-projections', description: 'hold indicators against wire messages only' },
      lenient,
      showSecrets,
    ],
    notes: [
      'Evidence is shown masked where it looks like a secret, unless --show-secrets; JSON has it as it was.',
      'A ThoughtJack trace does not say what was delivered: an actor that the agent reached counts as delivered.',
    ],
    examples: [
      ['oatf evaluate attack.yaml --trace run.jsonl', 'the verdict, with the evidence'],
      ['oatf evaluate attack.yaml --trace run.jsonl --json | jq -r .outcome', 'for scripts'],
    ],
    exits: [
      [0, 'the attack was delivered and resisted'],
      [1, 'exploited, or in part'],
      [2, 'inconclusive, or the evaluation failed'],
      usage,
      [65, 'an invalid document, one without indicators, or an invalid trace'],
      unreadable,
    ],
  },
  trace: {
    group: 'Judge recorded runs',
    summary: 'show a recorded run, a line per message',
    operand: {
      name: 'FILE',
      required: true,
      completes: 'files',
      description: 'a trace, JSON Lines, in the shape of OATF or ThoughtJack; - for standard input',
    },
    flags: [
      { name: 'actor', short: 'a', value: 'NAME', description: 'only this actor' },
      { name: 'method', short: 'm', value: 'METHOD', description: 'only this method, such as tools/call' },
      { name: 'full', description: 'whole contents, indented' },
      { name: 'json', description: 'the records that pass the filters, as JSON Lines' },
      lenient,
      showSecrets,
    ],
    notes: [
      '→ is what the agent sent to an actor, ← what the actor sent to the agent.',
      'Contents are shown masked where they look like a secret, unless --show-secrets; --json has them as they were.',
    ],
    examples: [
      ['oatf trace run.jsonl', 'the whole run'],
      ['oatf trace run.jsonl --method tools/call --full', 'every tool call, in full'],
    ],
    exits: [[0, 'shown'], usage, [65, 'an invalid trace'], unreadable],
  },
  completion: {
    group: 'This tool',
    summary: 'print a completion script for a shell',
    operand: {
      name: 'SHELL',
      required: true,
      choices: ['bash', 'zsh', 'fish'],
      description: 'bash, zsh or fish',
    },
    flags: [],
    examples: [
      ['source <(oatf completion bash)', 'in ~/.bashrc'],
      ['oatf completion zsh > ~/.zfunc/_oatf', 'once, with ~/.zfunc in $fpath'],
      ['oatf completion fish > ~/.config/fish/completions/oatf.fish', 'once'],
    ],
    exits: [[0, 'printed'], usage],
  },
  help: {
    group: 'This tool',
    summary: 'print this, or the help of a command',
    operand: { name: 'COMMAND', completes: 'commands', description: 'a command' },
    flags: [],
    examples: [['oatf help validate', 'the same as oatf validate --help']],
    exits: [[0, 'printed'], usage],
  },
} as const satisfies { readonly [name: string]: CommandRow };

export type CommandName = keyof typeof commands;
export type Arguments<N extends CommandName> = ArgumentsOf<(typeof commands)[N]>;
export type Command<N extends CommandName> = (values: Arguments<N>, io: Io) => Promise<Outcome>;

/** A command with the values that the parser found for it. */
export interface Invocation {
  readonly name: CommandName;
  readonly values: { readonly [name: string]: unknown };
}

export const commonFlags: readonly Flag[] = [
  { name: 'help', short: 'h', description: 'print this help' },
  { name: 'debug', description: 'show a stack trace when the fault is ours' },
];

export const loaders: { readonly [N in CommandName]: () => Promise<Command<N>> } = {
  demo: async () => (await import('./commands/demo.ts')).demo,
  run: async () => (await import('./commands/run.ts')).run,
  list: async () => (await import('./commands/list.ts')).list,
  show: async () => (await import('./commands/show.ts')).show,
  agent: async () => (await import('./commands/agent.ts')).agent,
  validate: async () => (await import('./commands/validate.ts')).validate,
  fmt: async () => (await import('./commands/fmt.ts')).fmt,
  normalize: async () => (await import('./commands/normalize.ts')).normalizeDocument,
  explain: async () => (await import('./commands/explain.ts')).explain,
  schema: async () => (await import('./commands/schema.ts')).schema,
  evaluate: async () => (await import('./commands/evaluate.ts')).evaluate,
  trace: async () => (await import('./commands/trace.ts')).trace,
  completion: async () => (await import('./commands/completion.ts')).completion,
  help: async () => (await import('./commands/help.ts')).help,
};

export function isCommandName(name: string): name is CommandName {
  return Object.hasOwn(commands, name);
}
