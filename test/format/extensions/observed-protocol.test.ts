import { expect, test } from 'vitest';
import { diagnoseMarked } from '../../../src/format/load-marked.ts';
import { diagnose } from '../../../src/index.ts';

const written = (protocol: string, state = '{}'): string =>
  `{oatf: "0.1", attack: {execution: {mode: mcp_server, state: ${state}}, indicators: [
    {protocol: ${protocol}, surface: observed, target: ended, pattern: {contains: crashed}}]}}`;
const codes = (found: readonly { readonly code: string }[]): readonly string[] => found.map(({ code }) => code);

test('diagnoseMarked knows the protocol x_agent of our observations, which diagnose warns of', () => {
  expect(codes(diagnose(written('x_agent')))).toEqual(['W-003', 'W-005']);
  expect(codes(diagnoseMarked(written('x_agent')))).toEqual([]);
});

test('diagnoseMarked warns of other unknown protocols, and of a template that is named like ours', () => {
  const state = '{tools: [{name: "{{x_agent}}"}]}';
  expect(codes(diagnoseMarked(written('x_agnet', state)))).toEqual(['W-004', 'W-003', 'W-005']);
});
