import { readRedactPattern } from '../config/redact-pattern.ts';
import { createRedactor, type Redactor } from '../secrets/redactor.ts';
import type { AttackOptions } from './options.ts';

/** The redactor, if `redact` asks for one. The patterns have been checked already. */
export function redactorOf({ redact = false }: AttackOptions): Redactor | undefined {
  if (redact === false) return undefined;
  const sources = redact === true ? [] : redact;
  const patterns = sources.flatMap((source) => {
    const read = readRedactPattern(source);
    return 'problem' in read ? [] : [read];
  });
  return createRedactor({ patterns });
}
