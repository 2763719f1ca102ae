// The client that upstream's suites start: `oatf run` with an mcp_client document whose actions the scenario asks for.
//
//   node test/protocols/upstream/mcp-client.mjs URL
//
// The suite names the scenario, and what it wants to be called, in the environment.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const url = process.argv.at(-1);
const { MCP_CONFORMANCE_SCENARIO: scenario = '', MCP_CONFORMANCE_CONTEXT: context = '{}' } = process.env;
const list = { method: 'tools/list' };
const call = (name, args = {}) => ({ method: 'tools/call', params: { name, arguments: args } });

/** What each scenario wants a client to do, as the actions of a phase. */
const actionsOf = {
  initialize: [list],
  tools_call: [list, call('add_numbers', { a: 5, b: 3 })],
  'elicitation-sep1034-client-defaults': [list, call('test_client_elicitation_defaults')],
  'sse-retry': [list, call('test_reconnection')],
  'request-metadata': [list],
  'sep-2322-client-request-state': [
    list,
    call('test_mrtr_echo_state'),
    call('test_mrtr_unrelated'),
    call('test_mrtr_no_state'),
    call('test_mrtr_no_result_type'),
  ],
  'http-standard-headers': [
    list,
    call('test_headers'),
    { method: 'resources/list' },
    { method: 'resources/read', params: { uri: 'file:///path/to/file%20name.txt' } },
    { method: 'prompts/list' },
    { method: 'prompts/get', params: { name: 'test_prompt' } },
  ],
  'http-custom-headers': [
    list,
    ...(JSON.parse(context).toolCalls ?? []).map(({ name, arguments: args }) => call(name, args)),
  ],
  'http-invalid-tool-headers': [list, call('valid_tool', { region: 'us-west1' })],
  'json-schema-ref-no-deref': [list],
};
const actions = actionsOf[scenario] ?? [list];

// What a form is answered with stands in the document, as always; here it is what the scenarios' schemas have as defaults.
const defaults = { name: 'John Doe', age: 30, score: 95.5, status: 'active', verified: true };
const content = scenario.startsWith('elicitation-') ? defaults : { confirmed: true };
const elicitation_responses = [{ action: 'accept', content }];
const sampling_responses = [{ role: 'assistant', content: { type: 'text', text: 'hello' }, model: 'none' }];
const document = {
  oatf: '0.1',
  attack: {
    id: 'UPSTREAM-001',
    execution: {
      mode: 'mcp_client',
      state: { actions, elicitation_responses, sampling_responses, roots: [{ uri: 'file:///work' }] },
    },
    indicators: [{ surface: 'tools/list', target: 'tools[*].name', pattern: { contains: 'nobody' } }],
  },
};

const folder = mkdtempSync(join(tmpdir(), 'oatf-upstream-client-'));
const path = join(folder, 'document.json');
writeFileSync(path, JSON.stringify(document));
const cli = fileURLToPath(new URL('../../../dist/cli.js', import.meta.url));
const args = [cli, 'run', path, '--connect', url, '--out', join(folder, 'out'), '--timeout', '100s'];
const { status } = spawnSync(process.execPath, args, { stdio: ['ignore', 'inherit', 'inherit'] });
rmSync(folder, { recursive: true, force: true });
// Whether it resisted is not what the suite asks.
process.exitCode = [0, 1, 2].includes(status) ? 0 : 1;
