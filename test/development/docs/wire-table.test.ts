import { expect, test } from 'vitest';
import { listTransports, wirePage } from '../../../scripts/site/made/wire.ts';
import { wireBehaviours, wireTransports } from '../../../src/format/registry/wire-transports.ts';

// The site's page about x-wire has a row for each behaviour, with every transport that can do it.

const { markdown } = wirePage();

test.each(Object.keys(wireBehaviours))('the page names transports for the wire behaviour %s', (behaviour) => {
  expect(markdown).toMatch(new RegExp(`^\\| \`${behaviour.replace('.', ': ')}\` \\| [^|]+ \\|$`, 'm'));
});

test.each([
  [['server'], 'all servers'],
  [['client'], 'all clients'],
  [['server', 'client'], 'all servers; all clients'],
])('all transports of the roles %j are called "%s"', (roles, expected) => {
  const names = (Object.keys(wireTransports) as (keyof typeof wireTransports)[]).filter((name) =>
    roles.includes(wireTransports[name].role),
  );
  expect(listTransports(names)).toBe(expected);
});

test('a single transport is called by its own name', () => {
  expect(listTransports(['mcp-stdio'])).toBe('MCP over stdio');
});
