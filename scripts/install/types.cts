// The types, as a CommonJS module sees them.
import type { AttackReport } from 'oatf/testing' with { 'resolution-mode': 'import' };

async function attacked(): Promise<AttackReport> {
  const { attack } = await import('oatf/testing');
  return attack('OATS-001', { agent: 'guarded' });
}

export = attacked;
