import type { Rate } from '../../src/format/model/results-file.ts';

export function plural(count: number, one: string, many: string): string {
  return `${grouped(count)} ${count === 1 ? one : many}`;
}

/** `3 of 12 runs`, or `12 runs` if it is all of them. */
export function partOf(some: number, all: number, one: string, many: string): string {
  return some === all ? plural(all, one, many) : `${grouped(some)} of ${plural(all, one, many)}`;
}

/** 12 345, with spaces that do not break. */
export function grouped(number: number): string {
  return String(number).replace(/\B(?=(?:\d{3})+$)/g, '\u202f');
}

/** `local_action` becomes `local action`. */
export function spaced(name: string): string {
  return name.replaceAll('_', ' ');
}

const protocolNames: { readonly [protocol: string]: string } = { mcp: 'MCP', a2a: 'A2A', ag_ui: 'AG-UI' };

export function protocolName(protocol: string): string {
  return Object.hasOwn(protocolNames, protocol) ? (protocolNames[protocol] ?? protocol) : protocol;
}

export function duration(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1_000).toFixed(1)} s`;
  return `${Math.floor(ms / 60_000)} min ${Math.round((ms % 60_000) / 1_000)} s`;
}

/** `+0.012`: seconds since the first record. */
export function offset(ms: number): string {
  return `${ms < 0 ? '−' : '+'}${(Math.abs(ms) / 1_000).toFixed(3)}`;
}

export function dateTime(timestamp: string): string {
  const date = new Date(timestamp);
  if (Number.isNaN(date.getTime())) return timestamp;
  // `Intl` date formats take longer to load than the whole table.
  const month = date.toDateString().slice(4, 7);
  const time = date.toTimeString().slice(0, 5);
  return `${date.getDate()} ${month} ${date.getFullYear()}, ${time}`;
}

export function percent({ rate }: Rate): string {
  return rate === null ? 'no try' : `${Math.round(rate * 100)} %`;
}

/** Rounded outwards, so that the interval claims no more than is known. */
export function intervalText({ interval }: Rate): string {
  return interval === null ? '' : `${Math.floor(interval[0] * 100)}–${Math.ceil(interval[1] * 100)} %`;
}

export function listed(items: readonly string[]): string {
  if (items.length < 2) return items[0] ?? '';
  return `${items.slice(0, -1).join(', ')} and ${items.at(-1)}`;
}
