import { toBase64, toBytes } from './platform.ts';

/** What encodings make of less would be found in anything. */
const shortest = 8;

/** A value as the usual encodings write it, alone or within a longer text: base64, base64url, hexadecimal, percent signs. */
export function encodedForms(value: string): readonly string[] {
  if (value.length < shortest) return [];
  const base64 = [0, 1, 2].map((shift) => withinBase64(value, shift));
  const hex = [...toBytes(value)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  const forms = [
    ...base64,
    ...base64.map((form) => form.replaceAll('+', '-').replaceAll('/', '_')),
    hex,
    hex.toUpperCase(),
    percentEncoded(value),
  ];
  return [...new Set(forms)].filter((form) => form.length >= shortest && form !== value);
}

/** Three bytes are four characters, so what a value becomes depends on how many bytes stand before it. The edges are shared. */
function withinBase64(value: string, shift: number): string {
  const written = toBase64(`${'\0'.repeat(shift)}${value}`);
  const isShared = written.endsWith('=');
  const whole = written.replace(/=+$/, '');
  return whole.slice(Math.ceil((shift * 8) / 6), isShared ? -1 : undefined);
}

/** Half a character of UTF-16 has no such form. */
function percentEncoded(value: string): string {
  try {
    return encodeURIComponent(value);
  } catch {
    return value;
  }
}
