import { toBase64, toBytes } from './platform-encoding.ts';

/** Encoded forms of shorter values would match ordinary text. */
const shortest = 8;

/** A value in the usual encodings, alone or inside a longer text: base64, base64url, hexadecimal, percent encoding. */
export function listEncodedForms(value: string): readonly string[] {
  if (value.length < shortest) return [];
  const base64 = [0, 1, 2].map((shift) => encodeWithinBase64(value, shift));
  const hex = [...toBytes(value)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  const forms = [
    ...base64,
    ...base64.map((form) => form.replaceAll('+', '-').replaceAll('/', '_')),
    hex,
    hex.toUpperCase(),
    percentEncode(value),
  ];
  return [...new Set(forms)].filter((form) => form.length >= shortest && form !== value);
}

/**
 * The base64 of a value after `shift` other bytes. Three bytes become four characters, so the form depends on the shift.
 * Characters at the edges that also encode neighbouring bytes are cut off.
 */
function encodeWithinBase64(value: string, shift: number): string {
  const written = toBase64(`${'\0'.repeat(shift)}${value}`);
  const isShared = written.endsWith('=');
  const whole = written.replace(/=+$/, '');
  return whole.slice(Math.ceil((shift * 8) / 6), isShared ? -1 : undefined);
}

/** Percent-encodes a value. An unpaired surrogate has no such form. */
function percentEncode(value: string): string {
  try {
    return encodeURIComponent(value);
  } catch {
    return value;
  }
}
