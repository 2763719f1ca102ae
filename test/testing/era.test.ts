import { expect, test } from 'vitest';
import { attack } from '../../src/testing/testing.ts';

test.each([
  ['legacy', ['2024-11-05']],
  ['modern', ['2026-07-28']],
] as const)('attack with era %s serves that era, whatever the agent prefers', async (era, spoken) => {
  const { outcome, delivery } = await attack('OATS-001', { agent: 'guarded', era });
  expect([outcome, delivery.stays?.eras]).toEqual(['resisted', spoken]);
});
