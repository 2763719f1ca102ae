type Paint = (text: string) => string;

/** How words are coloured; the test framework provides the colours. */
export interface MessageColours {
  readonly bad: Paint;
  readonly good: Paint;
  readonly bold: Paint;
  readonly dim: Paint;
}

const keepPlain: Paint = (text) => text;

export const plainColours: MessageColours = {
  bad: keepPlain,
  good: keepPlain,
  bold: keepPlain,
  dim: keepPlain,
};
