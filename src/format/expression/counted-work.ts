// What evaluation may cost is counted in steps of work and not in time: then the same document and trace give the same verdict
// on every machine, however busy it is. Evaluation is synchronous, so one count serves all of it, and the work of a part is
// the difference between two readings.

let worked = 0;

/** All work so far, in steps. A step takes about ten nanoseconds, often less. */
export function readWork(): number {
  return worked;
}

export function addWork(steps: number): void {
  worked += steps;
}

const charactersPerStep = 16;

/** Counts the search of a text by the platform's own functions, which read several characters in a step. */
export function addTextWork(length: number): void {
  worked += 1 + length / charactersPerStep;
}
