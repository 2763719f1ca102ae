// CommonJS tests import it when they need it; `toResist` is there from then on.

test('from CommonJS', async () => {
  const { attack } = await import('oatf/testing');
  expect(await attack('OATS-001', { agent: 'guarded' })).toResist();
});
