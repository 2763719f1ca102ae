type Paint = (text: string) => string;

/** How words are coloured; the test framework provides the colours. */
export interface Look {
  readonly bad: Paint;
  readonly good: Paint;
  readonly bold: Paint;
  readonly dim: Paint;
}

const plain: Paint = (text) => text;

export const plainLook: Look = { bad: plain, good: plain, bold: plain, dim: plain };
