import type { ParseError } from '../model/errors.ts';

const secondsPerUnit = { s: 1, m: 60, h: 3_600, d: 86_400 } as const;
const shorthand = /^(\d+)([smhd])$/;
// The lookahead rejects a `T` without a number after it.
const iso = /^P(?:(\d+)D)?(?:T(?=\d)(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?)?$/;
/** The units of the groups, in their order. */
const isoUnits = ['d', 'h', 'm', 's'] as const;

/** The seconds of `30s`, `5m`, `1h`, `2d` or an ISO 8601 duration of whole D, H, M, S (format spec §5.2). */
export function parseDuration(text: string): number | ParseError {
  const seconds = readSeconds(text);
  if (seconds === undefined || !Number.isSafeInteger(seconds))
    return {
      kind: 'syntax',
      message: `${JSON.stringify(text.slice(0, 40))} is not a duration`,
      hint: 'write 30s, 5m, 1h, 2d, or ISO 8601 such as PT30S or P1DT12H',
    };
  return seconds;
}

function readSeconds(text: string): number | undefined {
  const short = shorthand.exec(text);
  if (short !== null) return Number(short[1]) * secondsPerUnit[short[2] as keyof typeof secondsPerUnit];
  const parts = iso.exec(text);
  if (parts === null || text === 'P') return undefined;
  return isoUnits.reduce((sum, unit, index) => sum + secondsPerUnit[unit] * Number(parts[index + 1] ?? 0), 0);
}
