// An entry with one mistake of each kind, for the test of the test.

export { type Named, nameless, Opened, type Shown, settings, wordless } from './some-inside.ts';
