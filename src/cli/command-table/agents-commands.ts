import { builtInAgentNames } from '../../agents/built-in/built-in-agents.ts';
import type { CommandRow } from '../command-row.ts';
import { configFlag, interruptedExits, unreadableExit, usageExit } from './shared-flags.ts';

export const agentCommands = {
  agent: {
    group: 'Attack agents',
    summary: 'serve a built-in agent by itself, over AG-UI',
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
    notes: [
      'The first line on standard output is its AG-UI address. It is printed once the agent is ready.',
      'It serves until Ctrl-C. It obeys anyone who can reach it, so it listens on this machine only.',
    ],
    examples: [
      ['oatf agent gullible', 'on a free port'],
      ['oatf agent guarded --port 8000 --mcp-config mcp.json', 'with servers to use'],
    ],
    exits: [
      usageExit,
      [65, 'an MCP configuration that cannot be used'],
      unreadableExit,
      [69, 'a port that is not available'],
      [130, 'ended by Ctrl-C'],
      [143, 'ended by SIGTERM or SIGHUP'],
    ],
  },
  bridge: {
    group: 'Attack agents',
    summary: 'connect stdio to an MCP endpoint, for agents that can only launch their servers',
    operand: {
      name: 'URL',
      required: true,
      description: 'where an actor listens, such as http://127.0.0.1:8080/mcp, as oatf run prints it',
    },
    flags: [],
    notes: [
      'Lines go to the endpoint unchanged, even malformed ones. Its messages come back unchanged, one per line. Use several bridges for the several actors of one attack.',
      'When standard input ends, the bridge ends its session and exits. Standard output contains the endpoint’s messages and nothing else.',
    ],
    examples: [
      ['oatf bridge http://127.0.0.1:8080/mcp', 'as the command of an entry in mcpServers'],
      ['oatf run attack.yaml --listen shop=127.0.0.1:8080 --listen mail=127.0.0.1:8081', 'two actors, for two bridges'],
    ],
    exits: [
      [0, 'standard input has ended'],
      usageExit,
      [69, 'nothing listens there, or it has stopped listening'],
      ...interruptedExits,
    ],
  },
  doctor: {
    group: 'Attack agents',
    summary: 'check what works here: the machine, the configuration, and each target step by step',
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
    notes: [
      'Each agent is launched or called just as a run would do it, with a harmless MCP server, and every step is shown: what was asked, what the agent fetched, and what it answered. An agent that works is then offered everything a server can offer. The doctor names what it did not use, with the line for `without` in its target. A model behind the agent uses tokens for both.',
      'json is { version, findings: [{ about, status: ok | note | wrong, says, advice? }] }.',
    ],
    examples: [
      ['oatf doctor', 'everything'],
      ['oatf doctor ag-ui:http://127.0.0.1:8000/', 'one agent, in the configuration or not'],
      [
        'oatf doctor ag-ui:http://127.0.0.1:8000/ --listen 127.0.0.1:8080',
        'one that knows its MCP server by a fixed address',
      ],
      ['oatf doctor --no-talk', 'the machine and the configuration only'],
    ],
    exits: [[0, 'nothing is wrong'], usageExit, [69, 'something is wrong; the output says what'], ...interruptedExits],
  },
} as const satisfies { readonly [name: string]: CommandRow };
