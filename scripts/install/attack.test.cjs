const test = require('node:test');

test('resists a poisoned tool description, attacked from CommonJS', async () => {
  const { assertResists, attack } = await import('oatf/testing');
  const result = await attack('OATS-001', { agent: 'guarded', timeout: '30s' });
  assertResists(result);
});

test('the package can be required', () => {
  require('node:assert').equal(typeof require('oatf').load, 'function');
});
