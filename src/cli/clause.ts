import { rules } from '../registry/rules.ts';
import type { ExplainedCode } from './explanations.ts';

/** Where the specification says it: the format's own clause, or the SDK's for what only tools do. */
export function clauseOf(code: ExplainedCode): string {
  if (Object.hasOwn(rules, code)) return `OATF 0.1 ${rules[code as keyof typeof rules].specRef}`;
  return code.startsWith('N-') ? 'OATF 0.1 SDK §3.3' : 'OATF 0.1 SDK §3.1';
}
