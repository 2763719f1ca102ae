// The parsers that a check needs, without us: it reads a document with them and checks nothing else. The bench bundles it,
// because Node takes longer to find a hundred files than to run them.
import { readFileSync } from 'node:fs';
import { parse as parseCel } from '@bufbuild/cel';
import { jsonpath } from 'json-p3';
import { RE2JS } from 're2js';
import { parse } from 'yaml';

const languages = { regex: RE2JS.compile, cel: parseCel, target: (text) => jsonpath.compile(`$.${text}`) };

read('', parse(readFileSync(process.argv[2], 'utf8')));

function read(key, value) {
  if (typeof value === 'string') languages[key]?.(value);
  else if (typeof value === 'object' && value !== null)
    for (const [name, item] of Object.entries(value)) read(name, item);
}
