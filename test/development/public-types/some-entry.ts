// An entry with one mistake of each kind, for the test of the test.

export {
  type Membered,
  type Named,
  nameless,
  Opened,
  type Shown,
  settings,
  wordless,
} from './some-inside.ts';
