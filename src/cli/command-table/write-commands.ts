import { builtInAgentNames } from '../../agents/built-in/built-in-agents.ts';
import type { CommandRow } from '../command-row.ts';
import { goalChoices, surfaceChoices } from '../new/choices.ts';
import { documentOperand, documentOutFlag, showSecretsFlag } from './shared-flags.ts';

export const writeCommands = {
  init: {
    operand: { name: 'DIR', completes: 'files' },
    flags: [
      { name: 'agent', short: 'a', value: 'AGENT', offers: builtInAgentNames },
      { name: 'yes', short: 'y' },
      { name: 'format', short: 'f', value: 'FORMAT', choices: ['yaml', 'ts', 'js', 'json'], default: 'yaml' },
    ],
  },
  new: {
    operand: { name: 'FILE', required: true, completes: 'files' },
    flags: [
      { name: 'protocol', value: 'PROTOCOL', choices: ['mcp', 'a2a', 'ag_ui'] },
      { name: 'surface', value: 'SURFACE', choices: surfaceChoices },
      { name: 'goal', value: 'GOAL', choices: goalChoices },
      { name: 'id', value: 'ID', default: 'MINE-001' },
      { name: 'name', value: 'NAME' },
    ],
  },
  test: {
    operand: { name: 'TESTS', many: true, completes: 'files' },
    flags: [
      { name: 'update', short: 'u' },
      { name: 'trace', short: 't', value: 'FILE', many: true },
      { name: 'marks' },
      { name: 'reporter', short: 'r', value: 'NAME', many: true },
    ],
  },
  try: {
    flags: [
      { name: 'pattern', value: 'CONDITION' },
      { name: 'target', value: 'PATH', default: '' },
      { name: 'cel', value: 'EXPRESSION' },
      { name: 'extractor', value: 'SELECTOR' },
      { name: 'template', value: 'TEXT' },
      { name: 'predicate', value: 'PREDICATE' },
      { name: 'trace', short: 't', value: 'FILE' },
      { name: 'message', short: 'm', value: 'CONTENT' },
      { name: 'method', value: 'METHOD' },
      { name: 'actor', short: 'a', value: 'NAME' },
      { name: 'all' },
      { name: 'json' },
      showSecretsFlag,
    ],
  },
  record: {
    operand: { name: 'SERVER', required: true },
    flags: [
      documentOutFlag,
      { name: 'listen', value: 'ADDRESS' },
      { name: 'stdio' },
      { name: 'call', value: 'NAME=ARGUMENTS', many: true },
      { name: 'read' },
      { name: 'say', value: 'TEXT', many: true },
      { name: 'header', value: 'HEADER', many: true },
      { name: 'id', value: 'ID', default: 'REC-001' },
      { name: 'timeout', value: 'DURATION', default: '1m' },
      { name: 'json' },
      showSecretsFlag,
    ],
  },
  poison: {
    operand: documentOperand,
    flags: [
      { name: 'at', value: 'PLACE', required: true },
      { name: 'with', value: 'PAYLOAD', required: true },
      { name: 'prompt', short: 'p', value: 'TEXT' },
      { name: 'replace' },
      { name: 'canary', value: 'TEXT' },
      { name: 'actor', value: 'NAME' },
      { name: 'phase', value: 'NAME' },
      documentOutFlag,
      { name: 'json' },
    ],
  },
  mark: {
    operand: documentOperand,
    flags: [{ name: 'write', short: 'w' }, { name: 'json' }],
  },
} as const satisfies { readonly [name: string]: CommandRow };
