import { expect, test } from 'vitest';
import type { RunEnd } from '../../src/engine/run-end.ts';
import type { MessageRecord } from '../../src/model/trace.ts';
import type { BindingViews } from '../../src/model/views.ts';
import { observeAgent } from '../../src/suite/observe.ts';

// The end of an agent is reported only if it could be observed.

const asked: MessageRecord = {
  seq: 0,
  timestamp: '',
  actor: 'user',
  protocol: 'ag_ui',
  mode: 'ag_ui_client',
  kind: 'request',
  origin: 'attacker',
  method: 'run_agent_input',
  content: {},
  session: 's',
};

const called: MessageRecord = {
  ...asked,
  actor: 'server',
  protocol: 'mcp',
  mode: 'mcp_server',
  origin: 'agent',
  method: 'tools/call',
};
const views = [{ protocol: 'mcp', signs: () => ({ use: true }) }] as unknown as readonly BindingViews[];

test.each([
  ['that nobody asked, and that stays connected', [], 'session_limit', undefined],
  ['that nobody asked, and that leaves', [], 'idle', undefined],
  [
    'that nobody asked, made the same call often and stays',
    Array(12).fill(called),
    'session_limit',
    undefined,
  ],
  ['that nobody asked, and that floods us', [], 'flood', 'looped'],
  ['that owes an answer when the time is over', [asked], 'session_limit', 'hung'],
  ['that was asked, and said nothing', [asked], 'idle', 'silent'],
])('an agent %s', (_, records, reason, ended) => {
  const observer = observeAgent(views, () => 0);
  for (const record of records) observer.add(record);
  expect(observer.conclude({ reason } as RunEnd, {}).ended).toBe(ended);
});
