import type { Scalar } from 'yaml';
import { parseWrittenNumber, type WrittenNumber } from '../model/written-number.ts';

const decimal = /^([-+]?)0*(\d*)\.?(\d*)((?:[eE][-+]?\d+)?)$/;

/** Converts a YAML number to JSON's spelling; undefined for infinities and NaN, which JSON lacks. */
export function readYamlNumber({ value, source }: Scalar): number | WrittenNumber | undefined {
  if (source === undefined || String(value) === source) return Number(value);
  const parts = decimal.exec(source);
  if (parts === null) return /^0[xo]/.test(source) ? parseWrittenNumber(String(BigInt(source))) : undefined;
  const [, sign = '', whole = '', fraction = '', exponent = ''] = parts;
  const point = fraction === '' ? '' : '.';
  return parseWrittenNumber(`${sign === '-' ? '-' : ''}${whole || '0'}${point}${fraction}${exponent}`);
}
