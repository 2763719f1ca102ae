import { isScalar, type Scalar, visit } from 'yaml';
import type { YamlDocument } from './read-yaml.ts';
import { readYamlNumber } from './read-yaml-number.ts';
import { createScalarTags, yamlStyle } from './yaml-style.ts';

/** Writes a tree in our style, with its comments. Changes the tree. */
export function writeYaml(yaml: YamlDocument): string {
  visit(yaml, {
    Pair: (_, { key }) => {
      if (isScalar(key)) keepKeyText(key);
    },
    Collection: (_, node) => {
      if (node.items.length > 0) node.flow = false;
    },
    Scalar: (_, node) => {
      // Quotes have the same effect as `!!str`, and no other allowed tag makes a string.
      if (typeof node.value === 'string') delete node.tag;
      // The library writes `1e400` as an infinity, and rounds numbers with too many digits.
      if (typeof node.value === 'number') node.value = readYamlNumber(node) ?? node.value;
      if (node.type === 'QUOTE_SINGLE' && !/["\\]/.test(String(node.value))) node.type = 'QUOTE_DOUBLE';
    },
  });
  yaml.directives.docStart = null;
  yaml.setSchema('1.2', { schema: 'core', customTags: createScalarTags });
  return yaml.toString(yamlStyle);
}

/** Keeps the text of a key: `1e3` must not become `1e+3`. */
function keepKeyText(key: Scalar): void {
  if (typeof key.value === 'string' || String(key.value) === key.source) return;
  key.value = key.source ?? String(key.value);
  key.type = 'QUOTE_DOUBLE';
  delete key.format;
}
