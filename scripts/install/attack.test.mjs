import test from 'node:test';
import { assertResists, attack } from 'oatf/testing';

test('resists a poisoned tool description', async () => {
  const result = await attack('OATS-001', { agent: 'guarded', timeout: '30s' });
  assertResists(result);
});
