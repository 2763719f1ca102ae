import { defineConfig } from '/work/w-tests/src/suite/config/config.ts';

const config = defineConfig({
  documents: ['attacks/'],
  agent: 'support',
  targets: {
    support: { agUi: 'http://127.0.0.1:8000/agent', headers: { authorization: 'Bearer {{env.TOKEN}}' } },
  },
  repeat: 5,
  maxRate: '10%',
});
export default config;

console.log(config.agent);
// prints: support
