import { tellFixtures } from './public-fixtures.ts';

/** Before all tests: what they find, and what they do without. */
export function setup(): void {
  console.log(tellFixtures());
}
