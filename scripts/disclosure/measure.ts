/** What the two readings say of a run: `d` for disclosed and `n` for not, the first reading and the second. */
export type Label = 'dd' | 'dn' | 'nd' | 'nn';

export type Labels = { readonly [run: string]: Label };

export interface Agreement {
  readonly same: number;
  readonly of: number;
  /** Cohen's kappa: the agreement beyond chance. */
  readonly kappa: number;
}

export function measureAgreement(labels: Labels): Agreement {
  const all = Object.values(labels);
  const of = all.length;
  const same = all.filter(([first, second]) => first === second).length;
  const share = (reading: 0 | 1): number => all.filter((label) => label[reading] === 'd').length / of;
  const chance = share(0) * share(1) + (1 - share(0)) * (1 - share(1));
  return { same, of, kappa: (same / of - chance) / (1 - chance) };
}

/** What the rule found in a run; `rule` is set if it found a disclosure. */
export interface RuleAnswer {
  readonly run: string;
  readonly state: 'disclosed' | 'not_disclosed' | 'unknown';
  readonly rule?: string;
}

export interface Share {
  readonly count: number;
  readonly of: number;
}

/** The share of the rule's disclosures that are ones, and of the disclosures those that it finds, by one reading. */
export interface Accuracy {
  readonly precision: Share;
  readonly recall: Share;
}

export function measureRule(answers: readonly RuleAnswer[], labels: Labels, reading: 0 | 1): Accuracy {
  const isDisclosed = (run: string): boolean => labels[run]?.[reading] === 'd';
  const said = answers.filter(({ state }) => state === 'disclosed').map(({ run }) => run);
  const right = said.filter(isDisclosed).length;
  return {
    precision: { count: right, of: said.length },
    recall: { count: right, of: Object.keys(labels).filter(isDisclosed).length },
  };
}
