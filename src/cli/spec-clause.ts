import {
  decodeRules,
  generateRules,
  markRules,
  ownWireRules,
  rules,
  runWarnings,
  taskRules,
} from '../format/registry/rules.ts';
import type { ExplainedCode } from './explanations.ts';

/** The clause of the specification: that of the format spec, or of the SDK spec for what only tools do. */
export function findSpecClause(code: ExplainedCode): string {
  const clauses: { readonly [code: string]: { readonly specRef: string } } = { ...rules, ...runWarnings };
  const rule = Object.hasOwn(clauses, code) ? clauses[code] : undefined;
  if (code === 'O-206') return 'an extension of this tool, docs/extensions/await.md';
  if (Object.hasOwn(markRules, code)) return 'an extension of this tool, docs/extensions/payload.md';
  if (Object.hasOwn(generateRules, code)) return 'an extension of this tool, docs/extensions/generate.md';
  if (Object.hasOwn(taskRules, code)) return 'an extension of this tool, docs/extensions/task.md';
  if (Object.hasOwn(decodeRules, code)) return 'an extension of this tool, docs/extensions/decode.md';
  if (Object.hasOwn(ownWireRules, code)) return 'an extension of this tool, docs/extensions/wire.md';
  if (rule !== undefined) return `OATF 0.1 ${rule.specRef}`;
  return code.startsWith('N-') ? 'OATF 0.1 SDK §3.3' : 'OATF 0.1 SDK §3.1';
}
