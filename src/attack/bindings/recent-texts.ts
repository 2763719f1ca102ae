/** The most recent texts that were seen. A flood of new texts pushes the oldest out. */
export interface RecentTexts {
  add(text: string): void;
  has(text: string): boolean;
  values(): Iterable<string>;
}

const mostTexts = 10_000;
const mostCharacters = 4 * 1024 * 1024;

export function createRecentTexts(): RecentTexts {
  const texts = new Set<string>();
  let characters = 0;
  return {
    add(text) {
      if (texts.has(text) || text.length > mostCharacters) return;
      texts.add(text);
      characters += text.length;
      for (const oldest of texts) {
        if (texts.size <= mostTexts && characters <= mostCharacters) break;
        texts.delete(oldest);
        characters -= oldest.length;
      }
    },
    has: (text) => texts.has(text),
    values: () => texts,
  };
}
