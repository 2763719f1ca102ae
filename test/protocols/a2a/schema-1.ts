import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { Value } from '../../../src/index.ts';
import { publicFixture } from '../../support/public-fixtures.ts';

// The JSON Schema of A2A 1.0, which is among the public fixtures.

const path = publicFixture('schemas/a2a-1.0.schema.json');
export const hasSchema1 = path !== undefined;

const wellKnown = new Set(['Struct', 'Timestamp', 'Value']);
const ajv = new Ajv2020({ strict: false, validateFormats: false });
const { definitions } = JSON.parse(path === undefined ? '{"definitions":{}}' : readFileSync(path, 'utf8')) as {
  definitions: Record<string, object>;
};
for (const [title, definition] of Object.entries(definitions)) {
  const name = title.replaceAll(' ', '');
  const id = `${wellKnown.has(name) ? 'google.protobuf' : 'lf.a2a.v1'}.${name}.jsonschema.json`;
  ajv.addSchema({ ...definition, $id: id }, id);
}

/** The problems of a value by a definition such as `SendMessageResponse`. */
export function errorsBySchema1(definition: string, value: Value): unknown {
  const check = ajv.getSchema(`lf.a2a.v1.${definition}.jsonschema.json`);
  return check?.(value) ? [] : (check?.errors ?? 'there is no such schema');
}
