import {
  decodeRules,
  generateRules,
  markRules,
  rules,
  runWarnings,
  taskRules,
  wireRules,
} from '../registry/rules.ts';
import type { ExplainedCode } from './explanations.ts';

/** The clause of the specification: that of the format spec, or of the SDK spec for what only tools do. */
export function clauseOf(code: ExplainedCode): string {
  const clauses: { readonly [code: string]: { readonly specRef: string } } = { ...rules, ...runWarnings };
  const rule = Object.hasOwn(clauses, code) ? clauses[code] : undefined;
  if (Object.hasOwn(markRules, code)) return 'an extension of this tool, docs/marks.md';
  if (Object.hasOwn(generateRules, code)) return 'an extension of this tool, docs/generated.md';
  if (Object.hasOwn(taskRules, code)) return 'an extension of this tool, docs/tasks.md';
  if (Object.hasOwn(decodeRules, code)) return 'an extension of this tool, docs/disguises.md';
  if (Object.hasOwn(wireRules, code)) return 'an extension of this tool, docs/wire.md';
  if (rule !== undefined) return `OATF 0.1 ${rule.specRef}`;
  return code.startsWith('N-') ? 'OATF 0.1 SDK §3.3' : 'OATF 0.1 SDK §3.1';
}
