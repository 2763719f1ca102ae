// Letters of other alphabets that readers take for Latin ones.
const lookAlikes: ReadonlyMap<string, string> = new Map([
  ...pairCharacters('авекмнорстухіјѕԁһԛԝӏґɡ', 'abekmhopctyxijsdhqwlrg'),
  ...pairCharacters('АВЕКМНОРСТУХІЈЅԌԚԜӀ', 'ABEKMHOPCTYXIJSGQWI'),
  ...pairCharacters('αβεικνορτυχγη', 'abeikvoptuxyn'),
  ...pairCharacters('ΑΒΕΖΗΙΚΜΝΟΡΤΥΧ', 'ABEZHIKMNOPTYX'),
]);

/** Replaces Cyrillic and Greek letters that look like Latin ones. */
export function replaceLookAlikes(text: string): string {
  return text.replace(/[\u0370-\u052F\u0261]/g, (character) => lookAlikes.get(character) ?? character);
}

function pairCharacters(from: string, to: string): readonly (readonly [string, string])[] {
  const latin = [...to];
  return [...from].map((character, index) => [character, latin[index] ?? character] as const);
}
