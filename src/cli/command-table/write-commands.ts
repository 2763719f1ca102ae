import { builtInAgentNames } from '../../agents/built-in/built-in-agents.ts';
import type { CommandRow } from '../command-row.ts';
import { goalChoices, surfaceChoices } from '../new/choices.ts';
import { documentOperand, documentOutFlag, showSecretsFlag } from './shared-flags.ts';

export const writeCommands = {
  init: {
    operand: { name: 'DIR', completes: 'files', description: 'the folder to write to. Default: this folder' },
    flags: [
      {
        name: 'agent',
        short: 'a',
        value: 'AGENT',
        offers: builtInAgentNames,
        description: 'what to attack, written as for run --agent; nothing is asked',
      },
      { name: 'yes', short: 'y', description: 'ask nothing, and attack the built-in agents' },
      {
        name: 'format',
        short: 'f',
        value: 'FORMAT',
        choices: ['yaml', 'ts', 'js', 'json'],
        default: 'yaml',
        description: 'the format of the configuration',
      },
    ],
  },
  new: {
    operand: {
      name: 'FILE',
      required: true,
      completes: 'files',
      description: 'the file to write, such as attacks/calendar.yaml',
    },
    flags: [
      {
        name: 'protocol',
        value: 'PROTOCOL',
        choices: ['mcp', 'a2a', 'ag_ui'],
        description: 'only surfaces of this protocol',
      },
      {
        name: 'surface',
        value: 'SURFACE',
        choices: surfaceChoices,
        description: 'the place of the malicious instruction',
      },
      { name: 'goal', value: 'GOAL', choices: goalChoices, description: 'what the malicious instruction is after' },
      { name: 'id', value: 'ID', default: 'MINE-001', description: 'the id of the document' },
      { name: 'name', value: 'NAME', description: 'its name, for people' },
    ],
  },
  test: {
    operand: {
      name: 'TESTS',
      many: true,
      completes: 'files',
      description: 'test files, documents with a test file beside them, or folders. Default: this folder',
    },
    flags: [
      {
        name: 'update',
        short: 'u',
        description: 'write what is found into the test files; a document without a test file gets one',
      },
      {
        name: 'trace',
        short: 't',
        value: 'FILE',
        many: true,
        description: 'with --update, add a case for a trace that oatf run has stored, with its result',
      },
      {
        name: 'reporter',
        short: 'r',
        value: 'NAME',
        many: true,
        description: 'a report, as NAME[=FILE]: text, json, junit, github. Give it more than once for several reports',
      },
    ],
  },
  try: {
    flags: [
      {
        name: 'pattern',
        value: 'CONDITION',
        description: 'a condition as in a pattern, such as "{contains: secret}", or a value',
      },
      {
        name: 'target',
        value: 'PATH',
        default: '',
        description: 'the path that --pattern looks at. Default: the whole message',
      },
      { name: 'cel', value: 'EXPRESSION', description: 'a CEL expression over message' },
      {
        name: 'extractor',
        value: 'SELECTOR',
        description: 'a JSONPath, which begins with $, or an RE2 expression with a capture group',
      },
      {
        name: 'template',
        value: 'TEXT',
        description: 'a text with {{request.…}} or {{response.…}}; both are the message',
      },
      {
        name: 'predicate',
        value: 'PREDICATE',
        description: 'a predicate as in match and when, such as "{arguments.city: Lisbon}"',
      },
      {
        name: 'trace',
        short: 't',
        value: 'FILE',
        description: 'messages of a recorded run, JSON Lines; - for standard input',
      },
      {
        name: 'message',
        short: 'm',
        value: 'CONTENT',
        description: 'one message, its params or result, as JSON or YAML',
      },
      { name: 'method', value: 'METHOD', description: 'only messages of this method, such as tools/call' },
      { name: 'actor', short: 'a', value: 'NAME', description: 'only messages of this actor' },
      { name: 'all', description: 'also look at what the attacker sent, not only at what the agent sent' },
      { name: 'json', description: 'print what was found as JSON' },
      showSecretsFlag,
    ],
  },
  record: {
    operand: {
      name: 'SERVER',
      required: true,
      description: 'an MCP server, as URL or command:PROGRAM, or an A2A agent, as a2a:URL',
    },
    flags: [
      documentOutFlag,
      {
        name: 'listen',
        value: 'ADDRESS',
        description:
          'stand between an agent and the server: listen at HOST:PORT, pass requests on, and record the answers',
      },
      { name: 'stdio', description: 'the same on standard input and output, for an agent that launches its servers' },
      {
        name: 'call',
        value: 'NAME=ARGUMENTS',
        many: true,
        description: 'a tool to call, with its arguments as JSON. Without this flag no tool is called',
      },
      { name: 'read', description: 'read every resource, and get every prompt that needs no arguments' },
      { name: 'say', value: 'TEXT', many: true, description: 'a message for an A2A agent' },
      {
        name: 'header',
        value: 'HEADER',
        many: true,
        description: 'a header for the URL, as NAME:VALUE. It is never stored',
      },
      { name: 'id', value: 'ID', default: 'REC-001', description: 'the id of the document' },
      {
        name: 'timeout',
        value: 'DURATION',
        default: '1m',
        description: 'how long the server may take, without --listen and --stdio',
      },
      { name: 'json', description: 'with --out, print what was recorded as one line of JSON' },
      showSecretsFlag,
    ],
  },
  poison: {
    operand: documentOperand,
    flags: [
      {
        name: 'at',
        value: 'PLACE',
        required: true,
        description:
          'the place: names from state such as tools/get_weather/description, tools/get_weather/response, resources/URI/content, instructions or agent_card/description, or a JSON Pointer as in marks',
      },
      {
        name: 'with',
        value: 'PAYLOAD',
        required: true,
        description: 'the text to append there, or @FILE to read it from a file. {{canary}} in it is replaced',
      },
      { name: 'replace', description: 'replace the text there instead of appending' },
      {
        name: 'canary',
        value: 'TEXT',
        description: 'the text that shows the payload was obeyed, at least six characters. Default: a random one',
      },
      { name: 'actor', value: 'NAME', description: 'the actor. Default: the first one that has the place' },
      { name: 'phase', value: 'NAME', description: 'the phase. Default: the first one that has the place' },
      documentOutFlag,
      { name: 'json', description: 'with --out, print { at, canary, indicators } as JSON' },
    ],
  },
} as const satisfies { readonly [name: string]: CommandRow };
