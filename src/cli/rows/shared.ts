import { enumerations } from '../../registry/enumerations.ts';
import { knownModes } from '../../registry/modes.ts';
import { surfaceNames } from '../../registry/pieces.ts';

// What several commands have: operands, flags and exits.

export const documents = {
  name: 'DOCUMENTS',
  many: true,
  completes: 'ids or files',
  description:
    'files, folders (their *.yaml and *.yml), patterns such as "**/*.yaml", ids of the library such as OATS-003 or "OATS-01*", or - for standard input',
} as const;

export const oneDocument = {
  name: 'DOCUMENT',
  required: true,
  completes: 'ids or files',
  description: 'an OATF document, an id of the library such as OATS-003, or - for standard input',
} as const;

export const fileWins = 'Where a file or folder has the name of an id, it is what is meant.';

/** Which of the documents; every command that takes many can take these. */
export const filters = [
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

export const filtersCombine =
  'A filter may be given more than once: documents pass that fit any value of each filter.';

export const stdinName = {
  name: 'stdin-name',
  value: 'NAME',
  description: 'what to call standard input in messages',
} as const;

export const showSecrets = {
  name: 'show-secrets',
  description: 'show well-known shapes of secrets as they are',
} as const;

export const judgeFlags = [
  {
    name: 'judge',
    value: 'JUDGE',
    description:
      'who decides semantic indicators: llm:MODEL, or a target that is a model; it is used if it passes its exam',
  },
  {
    name: 'judge-budget',
    value: 'N',
    description: 'how many questions the judge may be asked in all, those of its exam included',
  },
] as const;

export const lenient = {
  name: 'lenient',
  description: 'skip trace lines that are wrong, and say how many',
} as const;

export const out = {
  name: 'out',
  short: 'o',
  value: 'DIR',
  description: 'where results go; oatf-results/ and the time if left out',
} as const;
export const resultsJson = {
  name: 'json',
  description: 'print results.json at the end; everything else goes to stderr',
} as const;
export const reporter = {
  name: 'reporter',
  short: 'r',
  value: 'NAME',
  many: true,
  description:
    'a report at the end, as NAME[=FILE], more than once for several: text, json, jsonl, junit, sarif, markdown, github, html, or a module of yours',
} as const;
export const verdictsOnly = {
  name: 'quiet',
  short: 'q',
  description: 'print verdicts only, a line each',
} as const;

export const usage = [64, 'wrong usage'] as const;
export const invalid = [65, 'an invalid document'] as const;
export const unreadable = [66, 'an input that cannot be read'] as const;

export const configuration = {
  name: 'config',
  value: 'FILE',
  negatable: true,
  description:
    'the configuration; oatf.config.{ts,mts,js,mjs,json,yaml} of this folder or of one around it if left out',
} as const;
