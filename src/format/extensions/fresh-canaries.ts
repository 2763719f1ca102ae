import { isScalar, visit } from 'yaml';
import { formatDocument } from '../document/format.ts';
import { readYaml } from '../document/read-yaml.ts';
import { writeYaml } from '../document/write-yaml.ts';
import type { Canary } from '../model/document-canary.ts';
import { drawCanary, writeCanaryRegex } from './canaries.ts';
import { canaryKinds, compactCanary } from './canary-kinds.ts';

/**
 * Replaces the canaries of a document by fresh ones of the same kinds, wherever their values or cores stand. The same seed gives
 * the same values, so a document that has them already stays as it is.
 */
export function replaceCanaries(text: string, canaries: readonly Canary[], seed: string): string {
  const fresh = canaries.map((canary): readonly [Canary, Canary] => [
    canary,
    { ...canary, value: drawCanary(canary.kind, seed, canary.name) ?? canary.value },
  ]);
  const texts = new Map(fresh.flatMap(([old, drawn]) => pairForms(old, drawn)).filter(([from, to]) => from !== to));
  const { yaml } = readYaml(text);
  if (texts.size === 0 || yaml === undefined) return text;
  // A form may be part of another, so the longest comes first.
  const forms = [...texts.keys()].toSorted((a, b) => b.length - a.length);
  const pattern = new RegExp(forms.map((form) => form.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')).join('|'), 'g');
  visit(yaml, {
    Scalar: (_, node) => {
      if (!isScalar(node)) return;
      const written = typeof node.value === 'number' ? String(node.source ?? node.value) : node.value;
      if (typeof written !== 'string') return;
      const replaced = written.replace(pattern, (form) => texts.get(form) ?? form);
      if (replaced !== written) node.value = replaced;
    },
  });
  const written = formatDocument(writeYaml(yaml));
  return written.ok ? written.text : text;
}

/** The forms in which a canary may stand in a document, each with the same form of the fresh one. */
function pairForms(old: Canary, drawn: Canary): readonly (readonly [string, string])[] {
  const formsOf = (canary: Canary): readonly string[] => [
    canary.value,
    writeCanaryRegex(canary),
    ...canary.value.split(':'),
    compactCanary(canary.value),
    ...(canaryKinds[canary.kind]?.findCores(canary.value) ?? []),
  ];
  const others = formsOf(drawn);
  return formsOf(old).map((form, index) => [form, others[index] ?? form]);
}
