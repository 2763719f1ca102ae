import { assertResists, attack } from '/work/w-tests/src/testing/testing.ts';

// A function, a URL such as ag-ui:http://127.0.0.1:8000/agent, a command, or a built-in agent.
const report = await attack('OATS-001', { agent: 'guarded' });
assertResists(report);
console.log(report.outcome);
// prints: resisted

const exploited = await attack('OATS-001', { agent: 'gullible' });
console.log(exploited.outcome);
// prints: exploited
