import { builtInAgentNames } from '../../agents/built-in/built-in-agents.ts';
import type { CommandRow } from '../command-row.ts';
import { configFlag } from './shared-flags.ts';

export const agentCommands = {
  agent: {
    operand: { name: 'NAME', required: true, choices: builtInAgentNames },
    flags: [
      { name: 'port', short: 'p', value: 'PORT' },
      { name: 'host', value: 'HOST' },
      { name: 'mcp-config', value: 'FILE' },
      { name: 'a2a-card', value: 'URL', many: true },
      { name: 'json' },
    ],
  },
  bridge: {
    operand: { name: 'URL', required: true },
    flags: [],
  },
  doctor: {
    operand: { name: 'AGENTS', many: true, completes: 'agents' },
    flags: [
      { name: 'no-talk' },
      configFlag,
      { name: 'listen', value: 'ADDRESS', many: true },
      { name: 'timeout', value: 'DURATION' },
      { name: 'json' },
    ],
  },
} as const satisfies { readonly [name: string]: CommandRow };
