import { builtInAgentNames } from '../../agents/built-in/built-in-agents.ts';
import { surfaceNames } from '../../format/registry/piece-kinds.ts';
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
  { name: 'agent', short: 'a', value: 'AGENT', many: true, offers: [...builtInAgentNames, 'external'] },
  { name: 'prompt', short: 'p', value: 'TEXT' },
  { name: 'listen', value: 'ADDRESS', many: true },
  { name: 'stdio', value: 'ACTOR', optional: true },
  { name: 'twins', negatable: true },
  { name: 'repeat', value: 'N' },
  { name: 'list' },
  reporterFlag,
  { name: 'ui' },
  outFlag,
] as const satisfies readonly Flag[];

const reaching = [
  configFlag,
  { name: 'connect', value: 'TARGET', many: true },
  { name: 'header', value: 'HEADER', many: true },
  { name: 'era', value: 'ERA', choices: ['legacy', 'modern', 'both'] },
  { name: 'card-url', value: 'HOW', choices: ['keep', 'rewrite', 'as-written'], usual: 'keep' },
  { name: 'without', value: 'SURFACE', many: true, choices: surfaceNames },
  { name: 'allow-host', value: 'HOST', many: true },
  { name: 'expose' },
  { name: 'host-name', value: 'NAME', many: true },
  { name: 'tls-cert', value: 'FILE' },
  { name: 'tls-key', value: 'FILE' },
] as const satisfies readonly Flag[];

const choosing = [
  ...filterFlags,
  { name: 'last-failed' },
  { name: 'skip-invalid' },
  { name: 'shard', value: 'I/N' },
  { name: 'durations', value: 'DIR' },
] as const satisfies readonly Flag[];

const pacing = [
  { name: 'timeout', value: 'DURATION' },
  { name: 'terminal-timeout', value: 'DURATION' },
  { name: 'grace-period', value: 'DURATION' },
  { name: 'budget', value: 'DURATION' },
  { name: 'concurrency', short: 'j', value: 'N' },
  { name: 'rate', value: 'RATE' },
  { name: 'retries', value: 'N' },
  { name: 'fail-fast' },
  { name: 'early-stop', negatable: true },
  { name: 'resume', value: 'DIR' },
  { name: 'watch', short: 'w' },
  { name: 'seed', value: 'N' },
  { name: 'canaries', value: 'HOW', choices: ['as_written', 'fresh'], usual: 'as_written' },
] as const satisfies readonly Flag[];

const judging = [
  { name: 'delivery', value: 'HOW', choices: ['payload', 'strict', 'reached'], usual: 'payload' },
  ...judgeFlags,
  { name: 'fail-tier', value: 'TIER', choices: ['any', 'ingested', 'local_action', 'boundary_breach'], usual: 'any' },
  { name: 'max-rate', value: 'RATE', many: true },
  { name: 'min-utility', value: 'RATE' },
  { name: 'baseline', value: 'FILE' },
  { name: 'projections', negatable: true },
] as const satisfies readonly Flag[];

const showing = [
  resultsJsonFlag,
  quietFlag,
  { name: 'verbose', short: 'v' },
  { name: 'redact', negatable: true },
  { name: 'redact-pattern', value: 'REGEX', many: true },
  showSecretsFlag,
] as const satisfies readonly Flag[];

export const runCommands = {
  run: {
    operand: { ...documentsOperand },
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
