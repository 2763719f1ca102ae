import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { type WireCarrier, wireBehaviours, wireCarriers } from '../../src/registry/wire-carriers.ts';

// The page lists the same transports for each behaviour as the table of the registry.

const page = readFileSync(new URL('../../docs/wire.md', import.meta.url), 'utf8');
const names = Object.keys(wireCarriers) as readonly WireCarrier[];

function wordsOf(carriers: readonly WireCarrier[]): string {
  const ofRole = (role: 'server' | 'client'): readonly WireCarrier[] =>
    names.filter((name) => wireCarriers[name].role === role);
  const isAll = (some: readonly WireCarrier[]): boolean => some.every((name) => carriers.includes(name));
  const groups = [
    { of: ofRole('server'), words: 'all servers' },
    { of: ofRole('client'), words: 'all clients' },
  ].filter(({ of }) => isAll(of));
  const covered = new Set(groups.flatMap(({ of }) => of));
  const others = carriers.filter((name) => !covered.has(name)).map((name) => wireCarriers[name].words);
  return [...groups.map(({ words }) => words), ...others].join('; ');
}

test.each(Object.entries(wireBehaviours))('%s', (behaviour, carriers) => {
  const [deed = '', option] = behaviour.split('.');
  const written = option === undefined ? deed : `${deed}: ${option}`;
  expect(page).toContain(`| \`${written}\` | ${wordsOf(carriers)} |`);
});
