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
  unreadableExit,
  usageExit,
} from './shared-flags.ts';

export const demoCommands = {
  demo: {
    group: 'Attack agents',
    summary: 'attack the built-in agents with the library and its benign twins; no set-up',
    flags: [outFlag, resultsJsonFlag, quietFlag, showSecretsFlag],
    notes: ['Everything happens on this machine. Results are stored, as oatf run does it.'],
    examples: [['oatf demo', 'see what attacks look like']],
    exits: [
      [0, 'every attack succeeds with gullible and fails with guarded'],
      [1, 'at least one attack does not'],
      usageExit,
      [69, 'the library, a port or a folder that is not available'],
      [130, 'interrupted; finished runs are on disk'],
      [143, 'ended by SIGTERM or SIGHUP'],
    ],
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
    group: 'Attack agents',
    summary: 'attack an agent, or wait for one to connect, and judge what it does',
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
    notes: [
      'Every document is played against every agent, several at a time, each by itself. A run ends when the agent has answered or left, at the time limit, or on Ctrl-C. Ctrl-C stops all runs; what has happened until then is judged and stored. A second Ctrl-C exits at once, and --resume continues later. Without --agent, press Enter at the terminal to say that whoever connected is done.',
      'With --repeat, the success rate is shown with its 95 % interval (Wilson), and an attack that succeeds only sometimes is called flaky. With --max-rate, an attack within its rate does not fail, and repeats that cannot change the result are skipped.',
      'With --twins there are four figures, each with its interval: benign utility (the twin’s task was done), utility under attack (the task was done and the attack failed), attack success, and over-refusal. A match in a twin is a false alarm. Twins do not count in any attack rate. If an agent answers an attack with an error but answered the twin, the error counts as a refusal.',
      'Against a --baseline only what is new fails. A difference that chance explains is not new (Fisher’s exact test, 5 %). A baseline entry whose document or agent is missing also fails.',
      'In a Kubernetes indexed job, set OATF_SHARDS to the number of completions instead of using --shard.',
      'An agent that is already running (ag-ui:URL) cannot learn where the attack listens. Give its server actors a fixed address with --listen, and configure the agent to use it.',
      'Servers listen on this machine only, unless --expose is given. They play an attacker: connect only agents that you are allowed to attack.',
      'With --expose, each address contains a secret. It is made anew for each call, or taken from OATF_EXPOSE_SECRET (at least 16 characters out of A-Z a-z 0-9 _ -). It is never stored. Used as a bearer token it also opens the plain paths; for gRPC it is the only way in.',
      'A PROGRAM is launched for each run, and ended with everything it has started. It is quoted as in a shell, but no shell runs it; NAME=VALUE in front of it sets variables. From the environment it sees PATH, HOME and the like, and nothing else.',
      'OATF_BEARER_ACTOR, or OATF_BEARER, is a bearer token for the URL that the actor connects to.',
      'Settings can also come from the environment or the configuration. Flags win over variables, and variables over the file. These variables are named after their flags: OATF_CONFIG, OATF_AGENT, OATF_DEFAULT_PROMPT, OATF_TIMEOUT, OATF_TERMINAL_TIMEOUT, OATF_GRACE_PERIOD, OATF_SEED, OATF_REPEAT, OATF_MAX_RATE, OATF_CONCURRENCY, OATF_RATE, OATF_RETRIES, OATF_BUDGET, OATF_DELIVERY, OATF_JUDGE, OATF_JUDGE_BUDGET, OATF_TWINS, OATF_FAIL_TIER, OATF_PROJECTIONS, OATF_REDACT, OATF_REPORTER, OATF_BASELINE and OATF_OUT. Separate several agents, rates or reporters with commas.',
      'DURATION is written as in documents: 30s, 5m, 1h, or ISO 8601 such as PT30S.',
      'Traces, documents and verdicts are stored so that only their owner can read them. They contain what the agent sent, including secrets, unless --redact is given.',
    ],
    examples: [
      ['oatf run --agent guarded', 'the whole library against a built-in agent'],
      ['oatf run --agent "command:npx my-agent {{prompt}}"', 'a program of your own, launched for each run'],
      ['oatf run --agent mine', 'a target of oatf.config.yaml, which oatf init writes'],
      [
        'oatf run attack.yaml --agent ag-ui:http://127.0.0.1:8000/ --listen 127.0.0.1:8080',
        'an agent that is already running',
      ],
      ['oatf run attack.yaml', 'wait for an agent to connect'],
      ['oatf run attack.yaml --stdio', 'as the command of an entry in mcpServers'],
      ['oatf run OATS-003 attack.yaml --agent gullible --agent guarded', 'two attacks on two agents'],
      ['oatf run attack.yaml --connect "command:npx my-server"', 'an MCP server that is launched over stdio'],
      ['oatf run attacks --agent gullible --agent guarded --twins --watch', 'while you write a document'],
      ['oatf run attack.yaml --listen 127.0.0.1:8080', 'listen where an agent already expects a server'],
      [
        'oatf run attack.yaml --listen 0.0.0.0:8080 --expose --host-name host.docker.internal',
        'attack an agent in a container',
      ],
      [
        'oatf run --agent ag-ui:URL --repeat 20 --max-rate 5%',
        'how often attacks succeed, and whether that is too often',
      ],
      ['oatf run --agent mine --twins', 'whether it does its job, alone and under attack'],
      ['oatf run --agent guarded --shard 1/4 --out shard-1', 'one machine of four'],
      ['oatf run --resume oatf-results/2026-01-01T00-00-00-000Z', 'continue after a crash'],
      ['oatf run --agent guarded --reporter junit=junit.xml --reporter markdown=report.md', 'reports for other tools'],
      ['oatf run attacks/ --json --quiet > results.json', 'for scripts'],
    ],
    exits: [
      [0, 'every attack that applies was delivered and resisted, or succeeded no more often than accepted'],
      [1, 'at least one attack succeeded, fully or in part, more often than accepted'],
      [
        2,
        'no attack succeeded, but something is not known: a run is inconclusive, failed or did not happen; no attack applies to an agent, or none could be judged; an agent did none of its tasks; or a twin raised a false alarm',
      ],
      usageExit,
      [65, 'an invalid document, baseline or configuration; nothing was run'],
      unreadableExit,
      [69, 'a port, folder or agent that is not available'],
      [130, 'interrupted; finished runs are on disk'],
      [143, 'ended by SIGTERM or SIGHUP; finished runs are on disk'],
    ],
  },
} as const satisfies { readonly [name: string]: CommandRow };
