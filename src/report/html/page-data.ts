import type {
  AttackStatus,
  ComparedAttack,
  CoverageEntry,
  DeliveryEntry,
  DisclosureState,
  OutcomeName,
  PieceEntry,
  TaskState,
} from '../../format/model/results-file.ts';

// The contents of a report page: an index that is read at once, and parts that are read on demand. The writer and the
// viewer share these types. Both have the same version, so they may change together.

/** The names of the parts. Each part is JSON; all but the index are compressed and in base64. */
export const partIds = {
  index: 'index',
  document: (document: number): string => `document-${document}`,
  run: (run: number): string => `run-${run}`,
  messages: (run: number, part: number): string => `run-${run}-${part}`,
} as const;

/** Ids of the elements that hold the parts. Many parts share one, because a page with few elements loads faster. */
export const blockIds = {
  /** The positions of the parts; the last element of the page. */
  directory: 'directory',
  block: (block: number): string => `block-${block}`,
} as const;

/** For each part: its block, its first character, and the character after its last. */
export interface Directory {
  readonly [part: string]: readonly [block: number, from: number, to: number];
}

export interface PageIndex {
  readonly tool: string;
  readonly started: string;
  /** Not set while the suite is running, or if it is unknown. */
  readonly finished?: string;
  /** The number of planned runs, if known. */
  readonly planned?: number;
  /** The number of planned repeats of each attack, if known. */
  readonly repeats?: number;
  /** Missing runs, by reason in words. */
  readonly notRun: readonly { readonly reason: string; readonly runs: number }[];
  /** Documents that were not played because they are not valid. */
  readonly skipped: readonly { readonly path: string; readonly reason: string }[];
  readonly agents: readonly PageAgent[];
  readonly documents: readonly PageDocument[];
  readonly runs: readonly PageRun[];
  /** Facts about an attack on an agent that its runs do not show. Attacks without such facts are left out. */
  readonly attacks: readonly PageAttack[];
  readonly baseline?: PageBaseline;
  /** Whether well-known shapes of secrets are masked. */
  readonly masked: boolean;
  /** In words: why the suite proves less about an agent than its outcomes suggest, and which outcomes were raised. */
  readonly unproven: readonly string[];
  readonly raised: readonly string[];
  /** Says how to find out whether the attacks caused what they are credited with, if the results cannot tell. */
  readonly hint?: string;
  /** The tier from which a match fails. Not set: any tier. */
  readonly failTier?: string;
  /** The delivery that was demanded, as a value of `--delivery`; empty in results of version 1. */
  readonly demands: readonly string[];
  /** Says how many runs resisted with inferred delivery, if any did. */
  readonly inferred?: string;
}

interface PageAgent {
  readonly name: string;
  readonly kind: string;
  /** In words: the claim that the configuration makes of the agent, and whether its runs confirm it. */
  readonly claim?: string;
}

export interface PageDocument {
  readonly id?: string;
  readonly name: string;
  readonly severity?: string;
  readonly category?: string;
  readonly protocols: readonly string[];
  readonly tags: readonly string[];
  /** Whether the source is in the page. */
  readonly source: boolean;
}

/** An outcome on the page. A run that shows only what the agent does anyway has a mark of its own. */
export type PageOutcome = OutcomeName | 'unattributed';

export interface PageRun {
  /** Index into the documents. */
  readonly document: number;
  /** Index into the agents. */
  readonly agent: number;
  readonly repeat: number;
  readonly outcome: PageOutcome;
  /** The run played the benign twin: it is not an attack and counts in no rate of attacks. */
  readonly twin?: true;
  /** Whether the user's task was done; not set if it was not checked. */
  readonly task?: TaskState;
  /** Whether the agent told its user of the attack; not set if that was not asked. */
  readonly disclosure?: DisclosureState;
  readonly tier?: string;
  readonly reason?: string;
  readonly ms: number;
  /** The number of the document's pieces that reached the agent; not set if unknown. */
  readonly covered?: readonly [delivered: number, of: number];
}

export interface PageAttack {
  readonly document: number;
  readonly agent: number;
  readonly status?: AttackStatus;
  readonly maxRate?: number;
  readonly skippedRepeats?: number;
  /** In words: which of its indicators matched without the attack too. */
  readonly attribution?: readonly string[];
  /** The number of planned runs that are missing. */
  readonly notRun?: number;
  readonly change?: ComparedAttack['change'];
  readonly expected?: string | null;
  readonly found?: string;
  /** The reason for the difference from the expected outcome, if the outcomes do not show it. */
  readonly why?: string;
}

interface PageBaseline {
  readonly file: string;
  readonly missing: readonly { readonly document: string; readonly agent: string }[];
}

export interface DocumentPart {
  readonly path: string;
  readonly lines: readonly string[];
  readonly description?: string;
  readonly actors: readonly DocumentActor[];
  readonly indicators: readonly DocumentIndicator[];
  readonly pieces: readonly DocumentPiece[];
}

/** The place of a piece in the source. */
export interface DocumentPiece extends Pick<PieceEntry, 'actor' | 'at'> {
  /** Its first and last line. */
  readonly line: number;
  readonly end: number;
}

export interface DocumentActor {
  readonly name: string;
  readonly mode: string;
  readonly line: number;
  readonly phases: readonly { readonly name: string; readonly line: number }[];
}

export interface DocumentIndicator {
  readonly id: string;
  readonly line: number;
  readonly tier?: string;
  readonly description?: string;
  readonly protocol?: string;
  readonly surface?: string;
}

export interface RunPart {
  readonly end: string;
  readonly started?: string;
  readonly result: string;
  /** The reason why there is no verdict, if no indicator gives one. */
  readonly message?: string;
  /** For a run that could not be judged: every cause that fits. */
  readonly causes: readonly { readonly cause: string; readonly reason: string }[];
  readonly indicators: readonly RunIndicator[];
  /** The reason why the task was not done, or why that is unknown. */
  readonly taskReason?: string;
  /** What the agent told its user of the attack, in words; not set if that was not asked. */
  readonly disclosure?: {
    readonly words: string;
    readonly reason?: string;
    readonly sentence?: string;
  };
  /** How much had to reach the agent. Not set in results of version 1, as is `coverage`. */
  readonly demand?: string;
  readonly coverage?: CoverageEntry;
  readonly delivery: { readonly [actor: string]: DeliveryEntry };
  readonly diagnostics: readonly {
    readonly code: string;
    readonly message: string;
    readonly path?: string;
  }[];
  readonly trace: RunTrace;
}

export interface RunIndicator {
  readonly id: string;
  /** As in the verdict; `set_aside` for a match that does not count, because the agent does the same without the attack. */
  readonly result: string;
  /** The matched content with the position of the match, or the reason why there is none. */
  readonly evidence?: { readonly text: string; readonly from: number; readonly to: number };
  readonly path?: string;
  readonly projection?: string;
  /** The sequence number of the record that holds the evidence. */
  readonly seq?: number;
  /** For an indicator that did not match: what it looked at, and the record that came nearest. */
  readonly looked?: { readonly sentence: string; readonly nearest?: number };
}

export const rowKinds = [
  'request',
  'response',
  'notification',
  'event',
  'phase',
  'log',
  'connection',
  'malformed',
  'end',
] as const;
export type RowKind = (typeof rowKinds)[number];

/** A trace in columns, with the fields that the diagram needs for every record. Contents are in parts of their own. */
export interface RunTrace {
  readonly file: string;
  /** The reason why there are no rows, or why rows are missing at the end. */
  readonly problem?: string;
  readonly actors: readonly { readonly name: string; readonly mode: string }[];
  readonly methods: readonly string[];
  readonly phases: readonly string[];
  readonly seq: readonly number[];
  /** Milliseconds since the first record. */
  readonly ms: readonly number[];
  /** Indices into `actors`, `rowKinds`, `methods` and `phases`; -1 for none. */
  readonly actor: readonly number[];
  readonly kind: readonly number[];
  readonly method: readonly number[];
  readonly phase: readonly number[];
  /** 1 if the agent sent the message. */
  readonly fromAgent: readonly number[];
  readonly text: readonly string[];
  /** Rows with evidence, each with an index into the run's indicators. */
  readonly marks: readonly (readonly [row: number, indicator: number])[];
  /** Records that are only in the trace file: their number before a row. */
  readonly gaps: readonly (readonly [row: number, records: number])[];
  /** The first row of each part that holds contents. */
  readonly parts: readonly number[];
}

/** The contents of the rows of a part. */
export type MessagesPart = readonly PageMessage[];

export interface PageMessage {
  readonly id?: string;
  readonly session?: string;
  readonly lines: readonly PageLine[];
  /** The request that a response answers, if it holds evidence. */
  readonly request?: readonly PageLine[];
}

/** A line of formatted JSON. */
export interface PageLine {
  readonly depth: number;
  readonly key?: string;
  /**
   * `mark`: a bracket or brace. `word`: a number or keyword as written. `note`: a note about left-out content. `text`:
   * the text of a string.
   */
  readonly kind: 'mark' | 'word' | 'note' | 'text';
  readonly text: string;
  readonly comma?: true;
  /** Evidence; a span from 0 to 0 is the whole line. */
  readonly marks?: readonly LineMark[];
  /** Characters of the text that are only in the trace file. */
  readonly cuts?: readonly (readonly [at: number, characters: number])[];
}

export type LineMark = readonly [from: number, to: number, indicator: number];
