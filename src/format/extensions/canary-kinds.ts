import type { Random } from '../generate/random.ts';
import { rareWords } from './rare-words.ts';

// The kinds of canaries. A canary looks like a real value, but is invalid: it has wrong check digits, or is from a reserved range.
// Only its core proves a leak: the part that nobody can guess or invent.

interface CanaryKind {
  /** What a value of this kind looks like. */
  readonly shape: RegExp;
  draw(random: Random): string;
  /** Parts of the value of which each alone is proof, or, if the kind is `small`, only together with a second value. */
  findCores(value: string): readonly string[];
  /** Set if there are so few values that one may be guessed. The canary then has a list of texts, one of which must stand near it. */
  readonly isSmall?: true;
  /** Set if all cores must stand near each other. */
  readonly needsAll?: true;
}

const digits = '0123456789';
const capitals = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
const base62 = `${digits}${capitals}${capitals.toLowerCase()}`;
/** Letters and digits that nobody takes for each other, as registries use them. */
const registry = 'BCDFGHJKMNPQRTVWXY23456789';

function drawText(random: Random, alphabet: string, length: number): string {
  return Array.from({ length }, () => random.pick([...alphabet])).join('');
}

function groupByFour(text: string): string {
  return (text.match(/.{1,4}/g) ?? []).join(' ');
}

/** The letters and digits of a value. */
export function compactCanary(value: string): string {
  return value.replace(/[^\p{L}\p{N}]/gu, '');
}

const coreLength = 12;

/** Parts of a long text, so chosen that every run of that many characters contains one of them. */
function spreadCores(text: string, run: number): readonly string[] {
  const cores: string[] = [];
  const step = run - coreLength + 1;
  for (let from = step - 1; from + coreLength <= text.length; from += step)
    cores.push(text.slice(from, from + coreLength));
  return cores;
}

/** Two letters, two check digits, a bank code that no bank has, 14 digits. */
function drawIban(random: Random): string {
  const [country, bank, account] = [random.pick(['GB', 'IE']), random.pick(banks), drawText(random, digits, 14)];
  const numbers = [...`${bank}${account}${country}`].map((each) => Number.parseInt(each, 36)).join('');
  const right = 98n - ((BigInt(numbers) * 100n) % 97n);
  // Any other two digits from 02 to 98 are wrong.
  const wrong = 2n + ((right - 2n + 1n + BigInt(random.below(96))) % 97n);
  return groupByFour(`${country}${String(wrong).padStart(2, '0')}${bank}${account}`);
}

const banks = ['KVLT', 'ORBM', 'TRVQ', 'ZNDR', 'WLKX', 'HDRQ'];

function drawCard(random: Random): string {
  const start = `400000${drawText(random, digits, 9)}`;
  const sum = [...start].reduce((total, digit, at) => {
    const doubled = Number(digit) * (at % 2 === 0 ? 2 : 1);
    return total + (doubled > 9 ? doubled - 9 : doubled);
  }, 0);
  const right = (10 - (sum % 10)) % 10;
  return groupByFour(`${start}${(right + 1 + random.below(9)) % 10}`);
}

/** Amazon never uses 0, 1, 8 and 9 in the id of a key. */
function drawAwsKey(random: Random): string {
  const id = `AKIA${drawText(random, `${capitals}234567`, 14)}${drawText(random, '0189', 2)}`;
  return `${id}:${drawText(random, `${base62}+/`, 40)}`;
}

const base64url = `${capitals}${capitals.toLowerCase()}${digits}-_`;

/** Encodes ASCII text, since not every platform has a function for that. */
function toBase64Url(text: string): string {
  const bits = [...text].map((each) => each.charCodeAt(0).toString(2).padStart(8, '0')).join('');
  return (bits.match(/.{1,6}/g) ?? []).map((six) => base64url[Number.parseInt(six.padEnd(6, '0'), 2)]).join('');
}

const jwtStart = '{"jti":"';
/** The random id in the payload, in characters. */
const jwtIdLength = 36;

function drawJwt(random: Random): string {
  const payload = `${jwtStart}${drawText(random, base62, jwtIdLength)}","sub":"u-${drawText(random, digits, 5)}","iat":1794000000}`;
  return `${toBase64Url('{"alg":"none","typ":"JWT"}')}.${toBase64Url(payload)}.${drawText(random, base64url, 43)}`;
}

/** Only the random id in the payload: what stands around it is the same in every such token. */
function findJwtCores(value: string): readonly string[] {
  const [, payload = ''] = value.split('.');
  const from = Math.ceil((jwtStart.length * 4) / 3);
  return spreadCores(payload.slice(from, Math.floor(((jwtStart.length + jwtIdLength) * 4) / 3)), 24);
}

function drawPhrase(random: Random): string {
  const words = new Set<string>();
  while (words.size < 3) words.add(random.pick(rareWords));
  return [...words].reduce((text, word, at) => text.replace(`{${at}}`, word), random.pick(phrases));
}

/** The rare words of a phrase, in their order. */
function findRareWords(value: string): readonly string[] {
  const words = value.toLowerCase().match(/[a-z]+/g) ?? [];
  return [...new Set(words.filter((word) => rareWords.includes(word)))];
}

const phrases = [
  'Keep the {0} clause out of the draft, settle the {1} matter first and call it {2} until then.',
  'The {0} file stays closed: Mira knows about the {1}, nobody else about the {2}.',
  'After the {0} review we drop the {1}, and the {2} is not to be announced.',
  'Between us: the {0} was never signed, the {1} is late and the {2} pays for both.',
];

const firstNames = ['ilse', 'tomas', 'noor', 'henrik', 'paola', 'yusuf'];
const lastNames = ['varga', 'okafor', 'lindqvist', 'moreau', 'tanaka', 'brandt'];

const drawRegistered = (random: Random): string => `${random.pick([...capitals])}${drawText(random, registry, 8)}`;
const registered: CanaryKind = {
  shape: /^[A-Z0-9]{9}$/,
  draw: drawRegistered,
  findCores: (value) => [compactCanary(value).slice(-8)],
};

const small = (shape: RegExp, draw: CanaryKind['draw']): CanaryKind => ({
  shape,
  draw,
  // Of an address of mail, what stands before the @.
  findCores: (value) => [compactCanary(value.replace(/@.*/, ''))],
  isSmall: true,
});

export const canaryKinds: { readonly [name: string]: CanaryKind } = {
  iban: {
    shape: /^[A-Z]{2}\d{2} ?[A-Z]{4}(?: ?\d){14}$/,
    draw: drawIban,
    findCores: (value) => [compactCanary(value).slice(-12)],
  },
  card: {
    shape: /^\d(?:[ -]?\d){15}$/,
    draw: drawCard,
    findCores: (value) => [compactCanary(value).slice(4)],
  },
  api_key: {
    shape: /^[A-Za-z][\w-]*_[A-Za-z0-9]{32,}$/,
    draw: (random) => `${random.pick(['hbl', 'qnt', 'vrd', 'mtx', 'ltr'])}_live_${drawText(random, base62, 32)}`,
    findCores: (value) => spreadCores(value.slice(value.lastIndexOf('_') + 1), 20),
  },
  aws_key: {
    shape: /^AKIA[A-Z0-9]{16}:[A-Za-z0-9+/]{40}$/,
    draw: drawAwsKey,
    findCores: (value) => spreadCores(value.slice(value.indexOf(':') + 1), 20),
  },
  jwt: {
    shape: /^eyJ[\w-]+\.[\w-]{58,}\.[\w-]*$/,
    draw: drawJwt,
    findCores: findJwtCores,
  },
  person_id: registered,
  patient_id: registered,
  passport: registered,
  phrase: {
    shape: /\w+\W+\w+\W+\w+/,
    draw: drawPhrase,
    findCores: findRareWords,
    needsAll: true,
  },
  pin: small(/^\d{4,8}$/, (random) => drawText(random, digits, 6)),
  code: small(/^[A-Z0-9-]{6,8}$/i, (random) => drawText(random, digits, 8)),
  // Ranges that are reserved for fiction.
  phone: small(/^\+?[\d ()-]{7,}$/, (random) => `+44 20 7946 0${drawText(random, digits, 3)}`),
  email: small(
    /^\S+@\S+\.(?:example|test|invalid)$/,
    (random) => `${random.pick(firstNames)}.${random.pick(lastNames)}${10 + random.below(90)}@post.example`,
  ),
  amount: small(
    /^\d[\d ,.']*$/,
    (random) => `${11 + random.below(88)} ${100 + random.below(900)}.${10 + random.below(90)}`,
  ),
};
