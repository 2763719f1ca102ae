import { builtInAgentNames } from '../../built-in/built-in-agents.ts';
import type { CommandRow } from '../table.ts';
import {
  configuration,
  documents,
  filters,
  judgeFlags,
  out,
  reporter,
  resultsJson,
  showSecrets,
  unreadable,
  usage,
  verdictsOnly,
} from './shared.ts';

export const playRows = {
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
      ...judgeFlags,
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
      { name: 'watch', short: 'w', description: 'play again whatever document changes, until Ctrl-C' },
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
      'Settings are also taken from the environment, and from the configuration: flags win over variables, variables over the file. OATF_CONFIG, OATF_AGENT, OATF_DEFAULT_PROMPT, OATF_TIMEOUT, OATF_TERMINAL_TIMEOUT, OATF_GRACE_PERIOD, OATF_SEED, OATF_REPEAT, OATF_MAX_RATE, OATF_CONCURRENCY, OATF_RATE, OATF_RETRIES, OATF_BUDGET, OATF_DELIVERY, OATF_JUDGE, OATF_JUDGE_BUDGET, OATF_TWINS, OATF_FAIL_TIER, OATF_PROJECTIONS, OATF_REDACT, OATF_REPORTER, OATF_BASELINE and OATF_OUT are named after their flags; several agents, rates and reporters are separated by commas.',
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
      ['oatf run attacks --agent gullible --agent guarded --twins --watch', 'while you write'],
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
} as const satisfies { readonly [name: string]: CommandRow };
