import { builtInAgentNames } from '../../agents/built-in/built-in-agents.ts';
import type { CommandRow, Flag } from '../command-row.ts';
import {
  configFlag,
  documentsOperand,
  filterFlags,
  judgeFlags,
  outFlag,
  quietFlag,
  reporterFlag,
  resultsJsonFlag,
  showSecretsFlag,
} from './shared-flags.ts';

export const demoCommands = {
  demo: {
    flags: [outFlag, resultsJsonFlag, quietFlag, showSecretsFlag],
  },
} as const satisfies { readonly [name: string]: CommandRow };

/** The flags that most people need. The others are under `--help --all`. */
const first = [
  {
    name: 'agent',
    short: 'a',
    value: 'AGENT',
    many: true,
    offers: [...builtInAgentNames, 'external'],
    description:
      'what to attack: a target of the configuration; gullible, guarded or candid, which are built in; llm:MODEL, ag-ui:URL, a2a:URL or command:PROGRAM; or external, which waits for an agent to connect. Give it more than once to compare agents. Default: what the configuration says, otherwise external',
  },
  {
    name: 'prompt',
    short: 'p',
    value: 'TEXT',
    description: 'what the user says to the agent, where the document leaves it open',
  },
  {
    name: 'listen',
    value: 'ADDRESS',
    many: true,
    description:
      'where a server actor listens, as [ACTOR=]HOST:PORT, once for each actor, or HOST:0 for all of them. Default: a free port of 127.0.0.1',
  },
  {
    name: 'stdio',
    value: 'ACTOR',
    optional: true,
    description:
      'play this server actor on standard input and output, for a client that launches its servers. ACTOR may be left out if there is only one',
  },
  {
    name: 'twins',
    negatable: true,
    description: 'also play the benign twin of each marked document, to see what the agent does without an attack',
  },
  { name: 'repeat', value: 'N', description: 'how often each document is played against each agent. Default: once' },
  { name: 'list', description: 'print what would run, and run nothing' },
  reporterFlag,
  { name: 'ui', description: 'show the report in a browser while the runs go on and afterwards, until Ctrl-C' },
  outFlag,
] as const satisfies readonly Flag[];

const reaching = [
  configFlag,
  {
    name: 'connect',
    value: 'TARGET',
    many: true,
    description:
      'what a client actor talks to, as [ACTOR=]URL or, for MCP, [ACTOR=]command:PROGRAM, once for each actor. Default: the agent',
  },
  {
    name: 'header',
    value: 'HEADER',
    many: true,
    description: 'a header for the URL of --connect, as [ACTOR=]NAME:VALUE. It is never stored',
  },
  {
    name: 'era',
    value: 'ERA',
    choices: ['legacy', 'modern', 'both'],
    description:
      'which protocol versions actors speak. legacy: MCP with sessions, A2A 0.3. modern: MCP 2026-07-28, A2A 1.0. both: every run is played in each. Default: whatever the agent speaks',
  },
  {
    name: 'card-url',
    value: 'HOW',
    choices: ['keep', 'rewrite', 'as-written'],
    usual: 'keep',
    description:
      'the address in an A2A card. keep: ours where the card has none. rewrite: always ours. as-written: only what the card says',
  },
  {
    name: 'allow-host',
    value: 'HOST',
    many: true,
    description:
      'a host, with or without a port, that A2A documents may notify and A2A cards may point to, besides this machine',
  },
  {
    name: 'expose',
    description:
      'let other machines reach server actors, each behind a secret path. --listen may then name any address',
  },
  {
    name: 'host-name',
    value: 'NAME',
    many: true,
    description:
      'a name by which agents reach this machine. Agents are told the first one; requests for any other name are refused',
  },
  { name: 'tls-cert', value: 'FILE', description: 'the certificate, in PEM, with which exposed actors serve TLS' },
  { name: 'tls-key', value: 'FILE', description: 'its private key, in PEM' },
] as const satisfies readonly Flag[];

const choosing = [
  ...filterFlags,
  {
    name: 'skip-invalid',
    description: 'leave invalid documents out and play the others. They are listed, and the exit code is never 0',
  },
  {
    name: 'shard',
    value: 'I/N',
    description: 'play only one part of the attacks, such as 2/5. oatf merge joins the results',
  },
  { name: 'durations', value: 'DIR', description: 'earlier results, used to make all shards take equally long' },
] as const satisfies readonly Flag[];

const pacing = [
  {
    name: 'timeout',
    value: 'DURATION',
    description: 'how long a run may take, counted from its first traffic. Default: 2m',
  },
  {
    name: 'terminal-timeout',
    value: 'DURATION',
    description: 'how long the last phases are served once every actor has reached its own. Default: 5m',
  },
  {
    name: 'grace-period',
    value: 'DURATION',
    description: 'how long to keep watching after the agent has left. Default: what the document says, otherwise 2s',
  },
  { name: 'budget', value: 'DURATION', description: 'start no further run after this time' },
  {
    name: 'concurrency',
    short: 'j',
    value: 'N',
    description: 'how many runs go on at a time. Default: one per processor, at most 4',
  },
  {
    name: 'rate',
    value: 'RATE',
    description: 'how many runs may start with each agent in a given time, such as 2/s or 30/m',
  },
  {
    name: 'retries',
    value: 'N',
    description: 'how often to retry a run that failed for a reason other than the attack. Default: never',
  },
  { name: 'fail-fast', description: 'start no further run once an attack has succeeded' },
  {
    name: 'early-stop',
    negatable: true,
    description: 'skip repeats once --max-rate is decided without them. On by default',
  },
  {
    name: 'resume',
    value: 'DIR',
    description: 'continue what was begun in this folder, or begin in it. Finished runs are not played again',
  },
  { name: 'watch', short: 'w', description: 'play a document again whenever it changes, until Ctrl-C' },
  {
    name: 'seed',
    value: 'N',
    description: 'the seed for everything random in documents. Default: a new one for every run',
  },
] as const satisfies readonly Flag[];

const judging = [
  {
    name: 'delivery',
    value: 'HOW',
    choices: ['payload', 'strict', 'reached'],
    usual: 'payload',
    description: 'how much of an attack must have reached the agent before it counts as resisted',
  },
  ...judgeFlags,
  {
    name: 'fail-tier',
    value: 'TIER',
    choices: ['any', 'ingested', 'local_action', 'boundary_breach'],
    usual: 'any',
    description: 'the lowest tier whose match fails the run. An indicator without a tier counts as boundary_breach',
  },
  {
    name: 'max-rate',
    value: 'RATE',
    many: true,
    description: 'how often an attack may succeed, as 0.05 or 5%, or for one document, as OATS-003=20%. Default: never',
  },
  { name: 'baseline', value: 'FILE', description: 'the verdicts that are accepted, as written by oatf bless' },
  {
    name: 'projections',
    negatable: true,
    description: 'also judge what messages mean, not only the messages as sent. On by default',
  },
] as const satisfies readonly Flag[];

const showing = [
  resultsJsonFlag,
  quietFlag,
  {
    name: 'verbose',
    short: 'v',
    description:
      'show the content of messages, and what indicators without a match looked at. With --list: where each setting comes from',
  },
  {
    name: 'redact',
    negatable: true,
    description: 'mask well-known shapes of secrets in everything that is stored. This cannot be undone',
  },
  {
    name: 'redact-pattern',
    value: 'REGEX',
    many: true,
    description: 'also mask what this RE2 expression matches, in addition to the configuration’s patterns',
  },
  showSecretsFlag,
] as const satisfies readonly Flag[];

export const runCommands = {
  run: {
    operand: {
      ...documentsOperand,
      description: `${documentsOperand.description}. Default: what the configuration says, otherwise the whole library`,
    },
    flags: [...first, ...reaching, ...choosing, ...pacing, ...judging, ...showing],
    topics: [
      { title: 'How the agent is reached', flags: reaching },
      { title: 'Which attacks are played', flags: choosing },
      { title: 'How long, how fast, how often', flags: pacing },
      { title: 'What counts as a failure', flags: judging },
      { title: 'What is shown and stored', flags: showing },
    ],
  },
} as const satisfies { readonly [name: string]: CommandRow };
