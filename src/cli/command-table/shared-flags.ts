import { enumerations } from '../../format/model/enumeration-types.ts';
import { knownModes } from '../../format/registry/known-modes.ts';
import { surfaceNames } from '../../format/registry/piece-kinds.ts';

// Operands and flags that several commands share.

export const documentsOperand = { name: 'DOCUMENTS', many: true, completes: 'ids or files' } as const;

export const documentOperand = { name: 'DOCUMENT', required: true, completes: 'ids or files' } as const;

/** Flags that select documents, for every command that takes many. */
export const filterFlags = [
  { name: 'tag', value: 'TAG', many: true },
  { name: 'severity', value: 'LEVEL', many: true, choices: enumerations.SeverityLevel },
  { name: 'category', value: 'CATEGORY', many: true, choices: enumerations.Category },
  { name: 'protocol', value: 'PROTOCOL', many: true },
  { name: 'mode', value: 'MODE', many: true, offers: knownModes() },
  { name: 'surface', value: 'SURFACE', many: true, choices: surfaceNames },
  { name: 'tier', value: 'TIER', many: true, choices: enumerations.Tier },
  { name: 'status', value: 'STATUS', many: true, choices: enumerations.Status },
  { name: 'mapping', value: 'FRAMEWORK', many: true },
  { name: 'id', value: 'ID', many: true },
  { name: 'grep', value: 'TEXT', many: true },
] as const;

export const stdinNameFlag = { name: 'stdin-name', value: 'NAME' } as const;

export const showSecretsFlag = { name: 'show-secrets' } as const;

export const judgeFlags = [
  { name: 'judge', value: 'JUDGE' },
  { name: 'judge-budget', value: 'N' },
] as const;

export const lenientFlag = { name: 'lenient' } as const;

export const outFlag = { name: 'out', short: 'o', value: 'DIR' } as const;
export const resultsJsonFlag = { name: 'json' } as const;
export const documentOutFlag = { name: 'out', short: 'o', value: 'FILE' } as const;
export const reporterFlag = { name: 'reporter', short: 'r', value: 'NAME', many: true } as const;
export const quietFlag = { name: 'quiet', short: 'q' } as const;

export const configFlag = { name: 'config', value: 'FILE', negatable: true } as const;
