import { expect, test } from 'vitest';
import { parse as readYaml } from 'yaml';
import { formatDocument } from '../../../src/format/document/format.ts';

test.each(['', 'phases'])('format orders the keys of x-wire rules and x-generate entries (inside %j)', (form) => {
  const phase = {
    state: { tools: [] },
    'x-wire': [{ repeat: 2, delay: '1s', when: { name: 'a' }, on: 'tools/call' }],
    'x-generate': [{ bytes: 5, seed: 1, kind: 'text', after: 'b', at: '/state/tools/0/name' }],
  };
  const execution = form === '' ? { mode: 'mcp_server', ...phase } : { mode: 'mcp_server', phases: [phase] };
  const formatted = formatDocument(JSON.stringify({ oatf: '0.1', attack: { execution } }));
  const made = readYaml(formatted.ok ? formatted.text : '').attack.execution;
  const {
    'x-wire': [rule],
    'x-generate': [entry],
  } = form === '' ? made : made.phases[0];
  expect(Object.keys(rule)).toEqual(['on', 'when', 'delay', 'repeat']);
  expect(Object.keys(entry)).toEqual(['at', 'kind', 'seed', 'after', 'bytes']);
});
