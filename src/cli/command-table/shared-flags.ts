import { enumerations } from '../../format/model/enumeration-types.ts';
import { knownModes } from '../../format/registry/known-modes.ts';
import { surfaceNames } from '../../format/registry/piece-kinds.ts';

// Operands and flags that several commands share.

export const documentsOperand = {
  name: 'DOCUMENTS',
  many: true,
  completes: 'ids or files',
  description:
    'files, folders (their *.yaml and *.yml), patterns such as "**/*.yaml", ids of the library such as OATS-003 or "OATS-01*", or - for standard input',
} as const;

export const documentOperand = {
  name: 'DOCUMENT',
  required: true,
  completes: 'ids or files',
  description: 'an OATF document, an id of the library such as OATS-003, or - for standard input',
} as const;

/** Flags that select documents, for every command that takes many. */
export const filterFlags = [
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
    description: 'only documents whose actors all have this mode, or one of those given',
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
      'only documents that are mapped to this framework, or to one entry of it, as FRAMEWORK:ID, such as owasp_llm:LLM01',
  },
  { name: 'id', value: 'ID', many: true, description: 'only documents with this id; * and ? are wildcards' },
] as const;

export const stdinNameFlag = {
  name: 'stdin-name',
  value: 'NAME',
  description: 'the name of standard input in messages',
} as const;

export const showSecretsFlag = {
  name: 'show-secrets',
  description: 'do not mask what looks like a secret',
} as const;

export const judgeFlags = [
  {
    name: 'judge',
    value: 'JUDGE',
    description:
      'the model that decides semantic indicators: llm:MODEL, or a target that is a model. It is used only if it passes its exam',
  },
  {
    name: 'judge-budget',
    value: 'N',
    description: 'how many questions the judge may be asked in total, including its exam',
  },
] as const;

export const lenientFlag = {
  name: 'lenient',
  description: 'skip invalid lines of the trace, and say how many',
} as const;

export const outFlag = {
  name: 'out',
  short: 'o',
  value: 'DIR',
  description: 'the folder for results. Default: oatf-results/ and the time',
} as const;
export const resultsJsonFlag = {
  name: 'json',
  description: 'print results.json at the end; everything else goes to standard error',
} as const;
export const documentOutFlag = {
  name: 'out',
  short: 'o',
  value: 'FILE',
  description: 'the file for the document. Default: standard output',
} as const;
export const reporterFlag = {
  name: 'reporter',
  short: 'r',
  value: 'NAME',
  many: true,
  description:
    'a report at the end, as NAME[=FILE]: text, json, jsonl, junit, sarif, markdown, github, html, or a module of your own. Give it more than once for several reports',
} as const;
export const quietFlag = {
  name: 'quiet',
  short: 'q',
  description: 'print only verdicts, one per line',
} as const;

export const configFlag = {
  name: 'config',
  value: 'FILE',
  negatable: true,
  description:
    'the configuration file. Default: oatf.config.{ts,mts,js,mjs,json,yaml} in this folder or a parent folder',
} as const;
