import { builtInAgentNames } from '../../agents/built-in/built-in-agents.ts';
import type { CommandRow } from '../command-row.ts';
import { configFlag } from './shared-flags.ts';

export const agentCommands = {
  agent: {
    operand: {
      name: 'NAME',
      required: true,
      choices: builtInAgentNames,
      description:
        'gullible follows every instruction it reads; guarded follows only its user’s; candid does the same, and reports what else it was told to do',
    },
    flags: [
      { name: 'port', short: 'p', value: 'PORT', description: 'the port it listens on. Default: a free one' },
      { name: 'host', value: 'HOST', description: 'a loopback address. Default: 127.0.0.1' },
      {
        name: 'mcp-config',
        value: 'FILE',
        description: 'the MCP servers that it may use, as {"mcpServers": {NAME: {"type": "http", "url": URL}}}',
      },
      {
        name: 'a2a-card',
        value: 'URL',
        many: true,
        description: 'the URL of the card of another agent that it may ask. Default: those of OATF_A2A_CARDS',
      },
      { name: 'json', description: 'print its addresses as one line of JSON: { name, ag_ui, mcp, a2a }' },
    ],
  },
  bridge: {
    operand: {
      name: 'URL',
      required: true,
      description: 'where an actor listens, such as http://127.0.0.1:8080/mcp, as oatf run prints it',
    },
    flags: [],
  },
  doctor: {
    operand: {
      name: 'AGENTS',
      many: true,
      completes: 'agents',
      description:
        'the agents to check, written as for run --agent. Default: every target of the configuration, and every agent it attacks',
    },
    flags: [
      { name: 'no-talk', description: 'check the machine and the configuration only; launch and contact no agent' },
      configFlag,
      {
        name: 'listen',
        value: 'ADDRESS',
        many: true,
        description:
          'where the doctor’s MCP server listens, as HOST:PORT, for agents that are configured to look there. Default: what the configuration says, otherwise a free port of 127.0.0.1',
      },
      { name: 'timeout', value: 'DURATION', description: 'how long each agent may take. Default: 1m' },
      { name: 'json', description: 'print what was found as JSON' },
    ],
  },
} as const satisfies { readonly [name: string]: CommandRow };
