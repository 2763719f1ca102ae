import { builtInAgentNames } from '../../built-in/built-in-agents.ts';
import type { CommandRow } from '../table.ts';
import { configuration, unreadable, usage } from './shared.ts';

export const agentsRows = {
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
    notes: [
      'Each agent is launched or asked as a run would do it, with an MCP server that means well, and every step is told: what was asked where, what the agent fetched, and what it answered. An agent that works is then offered all that a server can offer, and what it did not use is told, with the line for `without` of its target. A model behind it takes tokens for both.',
      'json is { version, findings: [{ about, status: ok | note | wrong, says, advice? }] }.',
    ],
    examples: [
      ['oatf doctor', 'all there is'],
      ['oatf doctor ag-ui:http://127.0.0.1:8000/', 'one agent, configured or not'],
      [
        'oatf doctor ag-ui:http://127.0.0.1:8000/ --listen 127.0.0.1:8080',
        'one that knows its MCP server by a fixed address',
      ],
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
} as const satisfies { readonly [name: string]: CommandRow };
