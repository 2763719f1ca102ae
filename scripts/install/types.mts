// The types of every entry, as an ES module sees them.
import { load, type LoadResult } from 'oatf';
import { type Config, defineConfig } from 'oatf/config';
import { mcpServer } from 'oatf/protocol';
import { type PlayOptions, playDocument } from 'oatf/runtime';
import { type AttackReport, attack } from 'oatf/testing';

export const loaded: LoadResult = load('oatf: "0.1"');
export const config: Config = defineConfig({ targets: { mine: { command: 'node agent.mjs {{prompt}}' } } });
export const played = (options: PlayOptions) => (loaded.ok ? playDocument(loaded.document, options) : undefined);
export const attacked: Promise<AttackReport> = attack('OATS-001', { agent: async ({ prompt }) => prompt });
export const binding: unknown = mcpServer;
// @ts-expect-error: an agent returns text
export const wrong = attack('OATS-001', { agent: async () => 1 });
