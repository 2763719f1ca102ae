import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const folder = fileURLToPath(new URL('../../scenarios', import.meta.url));
const documents = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
  /(?<!\.test)\.yaml$/.test(name),
);

// Other tools read an exclamation mark outside of quotes as a tag, and refuse the document (V-020).
test('no document of the library has a bare != in an expression', () => {
  const bare = documents.flatMap((name) =>
    readFileSync(`${folder}/${name}`, 'utf8')
      .split('\n')
      .filter((line) => line.includes('!=') && !/["'].*!=.*["']\s*$/.test(line))
      .map((line) => `${name}: ${line.trim()}`),
  );
  expect(documents.length).toBeGreaterThan(40);
  expect(bare).toEqual([]);
});
