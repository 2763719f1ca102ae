import { type WireTransport, wireBehaviours, wireTransports } from '../../../src/format/registry/wire-transports.ts';
import { table } from '../escape.ts';
import type { Source } from '../source.ts';

const names = Object.keys(wireTransports) as readonly WireTransport[];
const groups = (['server', 'client'] as const).map((role) => ({
  title: `all ${role}s`,
  members: names.filter((name) => wireTransports[name].role === role),
}));

/** Lists the transports that can do each behaviour of `x-wire`, from the table that validation reads. */
export function wirePage(): Source {
  const rows = Object.entries(wireBehaviours).map(([behaviour, carriers]) => [
    `\`${behaviour.replace('.', ': ')}\``,
    listTransports(carriers),
  ]);
  return {
    path: 'extensions/wire-transports',
    markdown: `# Transports of x-wire\n\nWhich transport can do which behaviour of [x-wire](/extensions/wire). \`oatf validate\` warns by the same table (O-242).\n\n${table(['behaviour', 'transports'], rows)}`,
  };
}

/** Names transports for people; all of one role have a common name. */
export function listTransports(carriers: readonly WireTransport[]): string {
  const whole = groups.filter(({ members }) => members.every((name) => carriers.includes(name)));
  const covered = new Set(whole.flatMap(({ members }) => members));
  const others = carriers.filter((name) => !covered.has(name)).map((name) => wireTransports[name].words);
  return [...whole.map(({ title }) => title), ...others].join('; ');
}
