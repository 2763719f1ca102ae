import { builtInAgentNames } from '../built-in/built-in-agents.ts';
import { enumerations } from '../registry/enumerations.ts';
import { knownModes } from '../registry/modes.ts';
import { surfaceNames } from '../registry/pieces.ts';
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
    name: 'mode',
    value: 'MODE',
    many: true,
    offers: knownModes(),
    description: 'only documents whose actors are all of this mode, or of one of those given',
  },
  {
    name: 'surface',
    value: 'SURFACE',
    many: true,
    choices: surfaceNames,
    description: 'only documents whose attack needs an agent with this surface',
  },
  {
    name: 'tier',
    value: 'TIER',
    many: true,
    choices: enumerations.Tier,
    description: 'only documents with an indicator of this tier',
  },
  {
    name: 'status',
    value: 'STATUS',
    many: true,
    choices: enumerations.Status,
    description: 'only documents of this status',
  },
  {
    name: 'mapping',
    value: 'FRAMEWORK',
    many: true,
    description:
      'only documents that are mapped to this framework, or to one thing of it, as FRAMEWORK:ID, such as owasp_llm:LLM01',
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
const reporter = {
  name: 'reporter',
  short: 'r',
  value: 'NAME',
  many: true,
  description:
    'a report at the end, as NAME[=FILE], more than once for several: text, json, jsonl, junit, sarif, markdown, github, html, or a module of yours',
} as const;
const verdictsOnly = { name: 'quiet', short: 'q', description: 'print verdicts only, a line each' } as const;

const usage = [64, 'wrong usage'] as const;
const invalid = [65, 'an invalid document'] as const;
const unreadable = [66, 'an input that cannot be read'] as const;

const configuration = {
  name: 'config',
  value: 'FILE',
  negatable: true,
  description:
    'the configuration; oatf.config.{ts,mts,js,mjs,json,yaml} of this folder or of one around it if left out',
} as const;

export const commands = {
  demo: {
    group: 'Attack agents',
    summary: 'the library and its benign twins on the built-in agents; no set-up',
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
      [143, 'the same, by SIGTERM or SIGHUP'],
    ],
  },
  run: {
    group: 'Attack agents',
    summary: 'attack an agent, or wait for one to connect, and judge what it does',
    operand: {
      ...documents,
      description: `${documents.description}; the configuration’s if left out, or else the library`,
    },
    flags: [
      {
        name: 'agent',
        short: 'a',
        value: 'AGENT',
        many: true,
        offers: [...builtInAgentNames, 'external'],
        description:
          'what to attack: a target of the configuration, gullible, guarded or candid, which are built in, llm:MODEL, ag-ui:URL, a2a:URL or command:PROGRAM; external waits for an agent that connects; more than once for several columns; the configuration’s if left out, or else external',
      },
      configuration,
      {
        name: 'connect',
        value: 'TARGET',
        many: true,
        description:
          'whom a client actor speaks to, as [ACTOR=]URL or, for MCP, [ACTOR=]command:PROGRAM, once for each; the agent if left out',
      },
      {
        name: 'header',
        value: 'HEADER',
        many: true,
        description: 'sent to the URL of --connect, as [ACTOR=]NAME:VALUE; stored nowhere',
      },
      {
        name: 'card-url',
        value: 'HOW',
        choices: ['keep', 'rewrite', 'as-written'],
        usual: 'keep',
        description:
          'what becomes of the addresses in an A2A card: ours where it has none, ours always, or none but its own',
      },
      {
        name: 'allow-host',
        value: 'HOST',
        many: true,
        description:
          'a host, with or without a port, that A2A documents may notify and A2A cards may lead to, besides this machine',
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
          'where a server actor listens, as [ACTOR=]HOST:PORT, once for each, or HOST:0 for all; a free port of 127.0.0.1 if left out',
      },
      {
        name: 'expose',
        description:
          'let others than this machine reach server actors, each behind a secret path; --listen may name any address then',
      },
      {
        name: 'host-name',
        value: 'NAME',
        many: true,
        description:
          'a name that agents reach this machine by; the first is the one they are told; others are refused',
      },
      {
        name: 'tls-cert',
        value: 'FILE',
        description: 'the certificate, in PEM, that exposed actors are served with over TLS',
      },
      { name: 'tls-key', value: 'FILE', description: 'its private key, in PEM' },
      {
        name: 'stdio',
        value: 'ACTOR',
        optional: true,
        description:
          'be the server of this actor on standard input and output, for a client that launches its servers; the only one if left out',
      },
      {
        name: 'era',
        value: 'ERA',
        choices: ['legacy', 'modern', 'both'],
        description:
          'how actors speak: legacy, MCP with sessions and A2A 0.3; modern, MCP 2026-07-28 and A2A 1.0; both plays every run in each; as the agent has it if left out',
      },
      {
        name: 'timeout',
        value: 'DURATION',
        description: 'how long a run may take from its first traffic on; 2m if left out',
      },
      {
        name: 'terminal-timeout',
        value: 'DURATION',
        description: 'how long last phases are served once every actor is in its own; 5m if left out',
      },
      {
        name: 'grace-period',
        value: 'DURATION',
        description: 'how long to go on watching once the agent has left; the document’s, or 2s, if left out',
      },
      {
        name: 'seed',
        value: 'N',
        description: 'what chance in documents is drawn from; another one for every run if left out',
      },
      {
        name: 'delivery',
        value: 'HOW',
        choices: ['payload', 'strict', 'reached'],
        usual: 'payload',
        description: 'how much of an attack must have got through for "resisted"',
      },
      {
        name: 'twins',
        negatable: true,
        description:
          'play the benign twin of each marked document, too: what the agent does when nobody attacks it',
      },
      {
        name: 'fail-tier',
        value: 'TIER',
        choices: ['any', 'ingested', 'local_action', 'boundary_breach'],
        usual: 'any',
        description: 'from which tier on a match fails; an indicator without one is boundary_breach',
      },
      {
        name: 'repeat',
        value: 'N',
        description: 'how often each document is played against each agent; once if left out',
      },
      {
        name: 'max-rate',
        value: 'RATE',
        many: true,
        description:
          'how often an attack may succeed, as 0.05 or 5%, or of one document, as OATS-003=20%; never if left out',
      },
      {
        name: 'early-stop',
        negatable: true,
        description: 'leave repeats out once --max-rate is settled without them, which is usual',
      },
      {
        name: 'concurrency',
        short: 'j',
        value: 'N',
        description: 'how many runs there are at a time; as many as processors, but 4 at most, if left out',
      },
      {
        name: 'rate',
        value: 'RATE',
        description: 'how often runs begin with each agent, at most, as 2/s or 30/m',
      },
      {
        name: 'retries',
        value: 'N',
        description:
          'how often a run is tried again that failed for other reasons than the attack; never if left out',
      },
      { name: 'budget', value: 'DURATION', description: 'after this time no further run begins' },
      {
        name: 'skip-invalid',
        description:
          'play the other documents where some are not valid; these are told, and the exit is never 0',
      },
      { name: 'fail-fast', description: 'begin no further run once an attack has succeeded' },
      {
        name: 'shard',
        value: 'I/N',
        description: 'only one part of the attacks, such as 2/5; oatf merge joins the results',
      },
      {
        name: 'durations',
        value: 'DIR',
        description: 'earlier results, by which shards are made to take equally long',
      },
      {
        name: 'baseline',
        value: 'FILE',
        description: 'the verdicts that are accepted, as oatf bless writes them',
      },
      {
        name: 'resume',
        value: 'DIR',
        description: 'go on with what was begun there, or begin there; finished runs are not repeated',
      },
      { name: 'list', description: 'print what would run, and run nothing' },
      reporter,
      { name: 'ui', description: 'show the report in a browser while the runs go on' },
      out,
      resultsJson,
      verdictsOnly,
      {
        name: 'verbose',
        short: 'v',
        description:
          'show what messages hold, and what indicators that did not match looked at; with --list, where each setting comes from',
      },
      {
        name: 'redact',
        negatable: true,
        description: 'mask well-known shapes of secrets in what is stored, for good',
      },
      {
        name: 'redact-pattern',
        value: 'REGEX',
        many: true,
        description: 'mask this as well, an RE2 expression; beside those of the configuration',
      },
      {
        name: 'projections',
        negatable: true,
        description: 'hold indicators against more than wire messages, which is usual',
      },
      showSecrets,
      ...filters,
    ],
    notes: [
      'Every document is played against every agent, several at a time, each by itself. A run ends when the agent has answered or left, at the time limit, or on Ctrl-C, which breaks all of them off: what has happened is judged and stored. A second Ctrl-C ends at once; --resume goes on. Without an agent, Enter at the terminal says that whoever connected is done.',
      'With --repeat, the rate of success is told with its 95 % interval (Wilson), and an attack that succeeds now and then is flaky. With --max-rate, an attack within its rate does not fail, and repeats that cannot change that are left out.',
      'With --twins the figures are told apart: benign utility (the twin’s task was done), utility under attack (the task was done, and the attack did not succeed), attack success and over-refusal, each with its interval. A match in a twin is a false alarm. Twins are in no rate of attacks. An error with which an agent answers an attack counts as a refusal where it answered the twin.',
      'Against a --baseline only what is new fails; differences that chance explains are none (Fisher’s exact test, 5 %). An entry for a document or an agent that is not there fails, too.',
      'In a Kubernetes indexed job, OATF_SHARDS with the number of completions takes the place of --shard.',
      'An agent that is already running (ag-ui:URL) cannot learn where the attack listens: give its server actors a fixed place with --listen, and configure the agent to use it.',
      'Servers listen on this machine only, unless --expose. They play an attacker: connect an agent that you may attack.',
      'With --expose, addresses hold a secret that is made for each call, or is OATF_EXPOSE_SECRET in the environment: of A-Z a-z 0-9 _ -, 16 of them at least. It is stored nowhere. As a bearer token it opens the plain paths, too, and is the only way in for gRPC.',
      'A PROGRAM is launched for each run and ended with all that it has started. It is quoted as in a shell, but none runs it; NAME=VALUE before it are variables. It sees PATH, HOME and the like of the environment, and nothing else.',
      'OATF_BEARER_ACTOR, or OATF_BEARER, in the environment is a bearer token for the URL that the actor is connected to.',
      'Settings are also taken from the environment, and from the configuration: flags win over variables, variables over the file. OATF_CONFIG, OATF_AGENT, OATF_DEFAULT_PROMPT, OATF_TIMEOUT, OATF_TERMINAL_TIMEOUT, OATF_GRACE_PERIOD, OATF_SEED, OATF_REPEAT, OATF_MAX_RATE, OATF_CONCURRENCY, OATF_RATE, OATF_RETRIES, OATF_BUDGET, OATF_DELIVERY, OATF_TWINS, OATF_FAIL_TIER, OATF_PROJECTIONS, OATF_REDACT, OATF_REPORTER, OATF_BASELINE and OATF_OUT are named after their flags; several agents, rates and reporters are separated by commas.',
      'DURATION is as in documents: 30s, 5m, 1h or ISO 8601 such as PT30S.',
      'Traces, documents and verdicts are stored readable by their owner only. They hold what the agent sent, secrets included, unless --redact.',
    ],
    examples: [
      ['oatf run --agent guarded', 'the whole library against a built-in agent'],
      ['oatf run --agent "command:npx my-agent {{prompt}}"', 'a program of yours, launched for each run'],
      ['oatf run --agent mine', 'a target of oatf.config.yaml, which oatf init writes'],
      ['oatf run OATS-003 attack.yaml --agent gullible --agent guarded', 'two attacks, two columns'],
      ['oatf run attack.yaml --agent ag-ui:http://127.0.0.1:8000/ --listen 127.0.0.1:8080', 'your own agent'],
      ['oatf run attack.yaml --connect "command:npx my-server"', 'an MCP server over its standard streams'],
      ['oatf run attack.yaml', 'wait for an agent to connect'],
      ['oatf run attack.yaml --listen 127.0.0.1:8080', 'where an agent is already set up to look'],
      [
        'oatf run attack.yaml --listen 0.0.0.0:8080 --expose --host-name host.docker.internal',
        'for an agent in a container',
      ],
      ['oatf run attack.yaml --stdio', 'as the command of an entry of mcpServers'],
      ['oatf run --agent ag-ui:URL --repeat 20 --max-rate 5%', 'how often, and whether that is too often'],
      ['oatf run --agent mine --twins', 'whether it works, works under attack, and falls'],
      ['oatf run --agent guarded --shard 1/4 --out shard-1', 'one machine of four'],
      ['oatf run --resume oatf-results/2026-01-01T00-00-00-000Z', 'after a crash'],
      ['oatf run --agent guarded --reporter junit=junit.xml --reporter markdown=report.md', 'for others'],
      ['oatf run attacks/ --json --quiet > results.json', 'for scripts'],
    ],
    exits: [
      [0, 'every attack that applies was delivered and resisted, or as often as is accepted'],
      [1, 'at least one succeeded, or in part, more often than is accepted'],
      [
        2,
        'none did, but at least one is inconclusive, failed or has not run, or none applies or was judged of an agent, or an agent did none of its tasks, or a twin raised a false alarm',
      ],
      usage,
      [65, 'an invalid document, baseline or configuration; nothing was run'],
      unreadable,
      [69, 'a port, a folder or an agent that is not there'],
      [130, 'interrupted; what was finished is on disk'],
      [143, 'the same, by SIGTERM or SIGHUP'],
    ],
  },
  report: {
    group: 'Attack agents',
    summary: 'make the HTML report of results: one file, which loads nothing from elsewhere',
    operand: {
      name: 'DIR',
      completes: 'files',
      description: 'a folder of results; the newest below oatf-results/ if left out',
    },
    flags: [
      {
        name: 'out',
        short: 'o',
        value: 'FILE',
        description: 'where it goes; report.html in the folder if left out',
      },
      { name: 'open', description: 'open it in the browser' },
      showSecrets,
    ],
    notes: [
      'The report is readable by its owner only, and holds what was said in every run. Of very long traces it has the first records, the last ones and those with evidence, and says so.',
    ],
    examples: [
      ['oatf report', 'of the newest results'],
      ['oatf report results --out report.html --open', 'and look at it'],
    ],
    exits: [
      [0, 'made'],
      usage,
      [65, 'results that this version cannot read'],
      [66, 'a folder that is not there, or has no results in it'],
      [69, 'a file that cannot be written, or no browser to open it'],
    ],
  },
  merge: {
    group: 'Attack agents',
    summary: 'join the results of shards: what one machine would have found',
    operand: {
      name: 'DIRS',
      many: true,
      required: true,
      completes: 'files',
      description: 'folders of results of the same suite, in any order',
    },
    flags: [
      { ...out, required: true, description: 'where the joined results go' },
      {
        name: 'baseline',
        value: 'FILE',
        description: 'the verdicts that are accepted, as oatf bless writes them',
      },
      reporter,
      resultsJson,
      { name: 'quiet', short: 'q', description: 'print nothing but what is wrong' },
      showSecrets,
    ],
    notes: [
      'Results of another version of this tool, of other documents, agents or settings are refused, and so are those that overlap. A shard that is missing makes the results incomplete, which exits 2.',
    ],
    examples: [
      ['oatf merge shard-1 shard-2 shard-3 --out whole', 'three into one'],
      ['oatf merge shards/* --out whole --reporter markdown >> "$GITHUB_STEP_SUMMARY"', 'in CI'],
    ],
    exits: [
      [0, 'every attack was resisted, or as often as is accepted'],
      [1, 'at least one succeeded more often than is accepted'],
      [2, 'none did, but at least one is inconclusive, failed or has not run'],
      [64, 'wrong usage, or results that do not fit together'],
      [66, 'a folder that is not one of results'],
      [69, 'a folder that cannot be written'],
    ],
  },
  bless: {
    group: 'Attack agents',
    summary: 'accept the verdicts of these results as the baseline',
    operand: {
      name: 'DIR',
      required: true,
      completes: 'files',
      description: 'a folder of results, or a results.json',
    },
    flags: [
      {
        name: 'out',
        short: 'o',
        value: 'FILE',
        default: 'oatf-baseline.yaml',
        description:
          'where to; JSON if it ends in .json, - for standard output; oatf-baseline.yaml if left out',
      },
      {
        name: 'accept-inconclusive',
        description: 'accept what is inconclusive too, each attack with its cause',
      },
    ],
    notes: [
      'The file is meant to be committed: a line for each attack, sorted, so that a review sees what changes.',
      'A run in error is never accepted, nor is what is inconclusive without --accept-inconclusive: such attacks have no entry, and are told.',
    ],
    examples: [
      ['oatf bless oatf-results/2026-01-01T00-00-00-000Z', 'as oatf-baseline.yaml'],
      ['oatf run --agent guarded --baseline oatf-baseline.yaml', 'hold the next run against it'],
    ],
    exits: [
      [0, 'written'],
      [2, 'written, but not every attack is accepted'],
      [64, 'wrong usage, or results that are not complete, or of version 1'],
      [66, 'no results there'],
      [69, 'a file that cannot be written'],
    ],
  },
  list: {
    group: 'Attack agents',
    summary: 'list the attacks that ship with this tool, or documents of yours',
    operand: { ...documents, description: `${documents.description}; the library if left out` },
    flags: [...filters, { name: 'json', description: 'print the list as JSON' }],
    notes: [
      filtersCombine,
      'json is one object: { version, tool, documents: [{ id?, name, status, severity?, category?, impact, tags, protocols, modes, surfaces, tiers, mappings: [{ framework, id, name?, url?, relationship? }], file }], total }; total counts those that did not pass, too.',
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
      {
        name: 'twin',
        description:
          'print its benign twin: the same document with every mark (x-payload) replaced or removed',
      },
      { name: 'json', description: 'print what is known of it as JSON' },
    ],
    notes: [
      fileWins,
      'json is what list has of it, and: { version, author?, created?, modified?, description?, references: [{ url, title?, description? }], actors: [{ name, mode, phases }], indicators: [{ id, protocol, surface?, tier?, severity?, description? }], logic?, marks?: [{ actor, phase, at, benign?, needed }] }.',
    ],
    examples: [
      ['oatf show OATS-003', 'what it does, to whom, and how it is told that it worked'],
      ['oatf show OATS-003 --twin > twin.yaml', 'the same without the attack'],
      ['oatf show OATS-003 --source > mine.yaml', 'to change it'],
    ],
    exits: [
      [0, 'shown'],
      usage,
      [65, 'an input that is not valid, or a document without marks where its twin is asked for'],
      [66, 'no such id, or an input that cannot be read'],
    ],
  },
  agent: {
    group: 'Attack agents',
    summary: 'serve a built-in agent by itself, over AG-UI',
    operand: {
      name: 'NAME',
      required: true,
      choices: builtInAgentNames,
      description:
        'gullible follows every instruction that it reads anywhere; guarded only its user’s; candid does that too, and tells what else it was told to do',
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
      {
        name: 'a2a-card',
        value: 'URL',
        many: true,
        description:
          'where the card of another agent is that it may ask; those of OATF_A2A_CARDS if left out',
      },
      { name: 'json', description: 'print where it is as one line of JSON: { name, ag_ui, mcp, a2a }' },
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
      [143, 'the same, by SIGTERM or SIGHUP'],
    ],
  },
  bridge: {
    group: 'Attack agents',
    summary: 'stdio on one side, an MCP endpoint on the other, for agents that only launch their servers',
    operand: {
      name: 'URL',
      required: true,
      description: 'where an actor listens, such as http://127.0.0.1:8080/mcp, as oatf run prints it',
    },
    flags: [],
    notes: [
      'Lines go to the endpoint as they are, malformed ones included, and what it sends comes back as it is, a line for each message. Several bridges lead to several actors of one attack.',
      'It ends when standard input does, and ends its session then. Standard output has the endpoint’s messages and nothing else.',
    ],
    examples: [
      ['oatf bridge http://127.0.0.1:8080/mcp', 'as the command of an entry of mcpServers'],
      [
        'oatf run attack.yaml --listen shop=127.0.0.1:8080 --listen mail=127.0.0.1:8081',
        'what two bridges lead to',
      ],
    ],
    exits: [
      [0, 'standard input has ended'],
      usage,
      [69, 'nothing listens there, or not any more'],
      [130, 'interrupted'],
      [143, 'the same, by SIGTERM or SIGHUP'],
    ],
  },
  doctor: {
    group: 'Attack agents',
    summary:
      'what works here and what does not: the machine, the configuration, and each target step by step',
    operand: {
      name: 'AGENTS',
      many: true,
      completes: 'agents',
      description:
        'what to speak to, as run’s --agent has it; every target of the configuration, and whom it names to be attacked, if left out',
    },
    flags: [
      { name: 'no-talk', description: 'launch nothing, and speak to nobody' },
      configuration,
      { name: 'timeout', value: 'DURATION', description: 'for each agent; a minute if left out' },
      { name: 'json', description: 'print what was found as JSON' },
    ],
    notes: [
      'Each agent is launched or asked as a run would do it, with an MCP server that means well, and every step is told: what was asked where, what the agent fetched, and what it answered. An agent that works is then offered all that a server can offer, and what it did not use is told, with the line for `without` of its target. A model behind it takes tokens for both.',
      'json is { version, findings: [{ about, status: ok | note | wrong, says, advice? }] }.',
    ],
    examples: [
      ['oatf doctor', 'all there is'],
      ['oatf doctor ag-ui:http://127.0.0.1:8000/', 'one agent, configured or not'],
      ['oatf doctor --no-talk', 'the machine and the configuration only'],
    ],
    exits: [
      [0, 'nothing is wrong'],
      usage,
      [69, 'something is wrong, and told'],
      [130, 'interrupted'],
      [143, 'the same, by SIGTERM or SIGHUP'],
    ],
  },
  init: {
    group: 'Write documents',
    summary: 'write a first configuration and a first attack',
    operand: { name: 'DIR', completes: 'files', description: 'where to; this folder if left out' },
    flags: [
      {
        name: 'agent',
        short: 'a',
        value: 'AGENT',
        offers: builtInAgentNames,
        description: 'what to attack, as run takes it, in place of the question',
      },
      { name: 'yes', short: 'y', description: 'ask nothing: the built-in agents, to be changed later' },
      {
        name: 'format',
        short: 'f',
        value: 'FORMAT',
        choices: ['yaml', 'ts', 'js', 'json'],
        default: 'yaml',
        description: 'what the configuration is written in',
      },
    ],
    notes: [
      'On a terminal it asks which kind of agent there is, and where. What is there already is left as it is.',
    ],
    examples: [
      ['oatf init', 'answer a question or two'],
      ['oatf init --yes && oatf run', 'see it work with the built-in agents'],
      ['oatf init --agent ag-ui:http://127.0.0.1:8000/ --format ts', 'with an agent of yours'],
    ],
    exits: [
      [0, 'written'],
      [64, 'wrong usage, or there is a configuration already'],
      [69, 'a folder that cannot be written'],
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
  convert: {
    group: 'Write documents',
    summary: 'rewrite documents of ThoughtJack to OATF 0.1, as far as that goes',
    operand: {
      ...documents,
      completes: 'files',
      description:
        'files, folders (their *.yaml and *.yml), patterns such as "**/*.yaml", or - for standard input',
    },
    flags: [
      {
        name: 'write',
        short: 'w',
        description: 'rewrite files in place; without it, one document is printed',
      },
      { name: 'json', description: 'print what was rewritten and what was not, with the texts, as JSON' },
      stdinName,
    ],
    notes: [
      'What was rewritten, and what has no equivalent and stays as it is, is told on standard error, line by line. A document with none of that dialect stays as it is.',
      'json is { version, files: [{ file, changed, valid, text, changes: [{ kind: rewritten | left, path, line, message }] }] }.',
    ],
    examples: [
      ['oatf convert attack.yaml > converted.yaml', 'one document'],
      ['oatf convert attacks/ --write', 'a whole folder, in place'],
      ['oatf convert attacks/ --json', 'look first'],
    ],
    exits: [
      [0, 'everything was rewritten, or nothing had to be'],
      [1, 'something has no equivalent, and was left'],
      usage,
      [65, 'a document that is not valid, also after its conversion; it is not written'],
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
    flags: [
      { name: 'config', description: 'of configurations instead: oatf.config.json and oatf.config.yaml' },
      { name: 'out', short: 'o', value: 'FILE', description: 'write it to a file instead' },
    ],
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
      {
        name: 'verbose',
        short: 'v',
        description: 'say what each indicator that did not match looked at',
      },
      lenient,
      showSecrets,
    ],
    notes: [
      'Evidence is shown masked where it looks like a secret, unless --show-secrets; JSON has it as it was.',
      'A trace of ThoughtJack’s says neither what was delivered nor how it ended, so it cannot show that an attack was resisted.',
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
  report: async () => (await import('./commands/report.ts')).report,
  merge: async () => (await import('./commands/merge.ts')).merge,
  bless: async () => (await import('./commands/bless.ts')).bless,
  list: async () => (await import('./commands/list.ts')).list,
  show: async () => (await import('./commands/show.ts')).show,
  agent: async () => (await import('./commands/agent.ts')).agent,
  bridge: async () => (await import('./commands/bridge.ts')).bridge,
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
