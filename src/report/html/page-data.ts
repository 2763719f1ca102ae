import type { AttackStatus, ComparedAttack, OutcomeName, TaskState } from '../../model/results.ts';

// What stands in a report page: an index that is read at once, and parts that are read when someone looks at them.
// The writer and the viewer share these types; both are of the same version, so they may change together.

/** Names of the parts. Each is JSON; all but the index are compressed and in base64. */
export const partIds = {
  index: 'index',
  document: (document: number): string => `document-${document}`,
  run: (run: number): string => `run-${run}`,
  messages: (run: number, part: number): string => `run-${run}-${part}`,
} as const;

/** Many parts share an element: a page is read quicker when it has few. */
export const blockIds = {
  /** Where the parts are, the last thing in the page. */
  directory: 'directory',
  block: (block: number): string => `block-${block}`,
} as const;

/** For each part: the block that it is in, and from which character to before which. */
export interface Directory {
  readonly [part: string]: readonly [block: number, from: number, to: number];
}

export interface PageIndex {
  readonly tool: string;
  readonly started: string;
  /** Absent while the suite is still running, and where nobody knows. */
  readonly finished?: string;
  /** How many runs there are to be, where that is known. */
  readonly planned?: number;
  /** How often each attack is to be played, where that is known. */
  readonly repeats?: number;
  /** Runs that are missing, by the reason in words. */
  readonly notRun: readonly { readonly reason: string; readonly runs: number }[];
  /** Documents that were not played because they are not valid. */
  readonly skipped: readonly { readonly path: string; readonly reason: string }[];
  readonly agents: readonly PageAgent[];
  readonly documents: readonly PageDocument[];
  readonly runs: readonly PageRun[];
  /** What is known of an attack on an agent beyond its runs; none where there is nothing to say. */
  readonly attacks: readonly PageAttack[];
  readonly baseline?: PageBaseline;
  /** Whether well-known shapes of secrets are starred out. */
  readonly masked: boolean;
  /** Why the suite says less of an agent than its outcomes seem to, and which outcomes were raised, in words. */
  readonly unproven: readonly string[];
  readonly raised: readonly string[];
  /** From which tier on a match fails; any, where it is absent. */
  readonly failTier?: string;
  /** How much had to reach agents, in the words of `--delivery`; none in results of version 1. */
  readonly demands: readonly string[];
}

interface PageAgent {
  readonly name: string;
  readonly kind: string;
  /** What is claimed of it, and whether its runs bear that out, in words. */
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

export interface PageRun {
  /** Index into the documents. */
  readonly document: number;
  /** Index into the agents. */
  readonly agent: number;
  readonly repeat: number;
  readonly outcome: OutcomeName;
  /** The benign twin was played: no attack, and in no rate of attacks. */
  readonly twin?: true;
  /** Whether the user's task was done; absent where nobody asked. */
  readonly task?: TaskState;
  readonly tier?: string;
  readonly reason?: string;
  readonly ms: number;
  /** How many pieces of the document reached the agent; absent where nobody knows. */
  readonly covered?: readonly [delivered: number, of: number];
}

export interface PageAttack {
  readonly document: number;
  readonly agent: number;
  readonly status?: AttackStatus;
  readonly maxRate?: number;
  readonly settledEarly?: number;
  /** Runs that were planned and are missing. */
  readonly notRun?: number;
  readonly change?: ComparedAttack['change'];
  readonly expected?: string | null;
  readonly found?: string;
  /** Why it is not what was expected, where that does not show it. */
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

/** Where a piece stands in the source. */
export interface DocumentPiece {
  readonly actor: string;
  /** As in `RunPiece`. */
  readonly at: string;
  /** Its first line and its last. */
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
  /** Why there is no verdict, where no indicator says so. */
  readonly message?: string;
  /** Of a run that could not be judged: every cause that fits. */
  readonly causes: readonly { readonly cause: string; readonly reason: string }[];
  readonly indicators: readonly RunIndicator[];
  /** Why the task was not done, or that is not known. */
  readonly taskReason?: string;
  readonly coverage?: RunCoverage;
  readonly delivery: readonly RunDelivery[];
  readonly diagnostics: readonly {
    readonly code: string;
    readonly message: string;
    readonly path?: string;
  }[];
  readonly trace: RunTrace;
}

export interface RunIndicator {
  readonly id: string;
  readonly result: string;
  /** Matched content with the match's place in it, or why there is none. */
  readonly evidence?: { readonly text: string; readonly from: number; readonly to: number };
  readonly path?: string;
  readonly projection?: string;
  /** The record that holds the evidence. */
  readonly seq?: number;
  /** What it looked at without a match, and the record that came nearest. */
  readonly looked?: { readonly sentence: string; readonly nearest?: number };
}

/** What of the document reached the agent. */
export interface RunCoverage {
  readonly demand?: string;
  readonly inferred: boolean;
  readonly missing: readonly string[];
  readonly pieces: readonly RunPiece[];
}

export interface RunPiece {
  readonly actor: string;
  readonly phase: string;
  readonly at: string;
  readonly label: string;
  readonly delivered: boolean;
  readonly needed: boolean;
  readonly reason?: string;
}

export interface RunDelivery {
  readonly actor: string;
  readonly mode: string;
  readonly reached: boolean;
  readonly delivered: boolean;
  readonly engaged: boolean;
  readonly served: number;
  readonly trouble?: string;
  /** The eras of the protocol that the agent spoke in, in words. */
  readonly eras: readonly string[];
  readonly phases: readonly string[];
  readonly entered: readonly string[];
  readonly seen: readonly string[];
  /** What the actor's last phase still waited for, such as `tools/call 1 of 3`. */
  readonly waiting?: string;
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

/** A trace as columns: what a diagram needs of every record; contents are in parts of their own. */
export interface RunTrace {
  readonly file: string;
  /** Why there are no rows, or no more of them. */
  readonly problem?: string;
  readonly actors: readonly { readonly name: string; readonly mode: string }[];
  readonly methods: readonly string[];
  readonly phases: readonly string[];
  readonly seq: readonly number[];
  /** Milliseconds since the first record. */
  readonly ms: readonly number[];
  /** Indices into `actors`, `rowKinds`, `methods` and `phases`; -1 where there is none. */
  readonly actor: readonly number[];
  readonly kind: readonly number[];
  readonly method: readonly number[];
  readonly phase: readonly number[];
  /** 1 where the agent sent it. */
  readonly fromAgent: readonly number[];
  readonly text: readonly string[];
  /** Rows with evidence, each with an index into the run's indicators. */
  readonly marks: readonly (readonly [row: number, indicator: number])[];
  /** Records that are in the trace file only: how many stand before a row. */
  readonly gaps: readonly (readonly [row: number, records: number])[];
  /** The first row of each part that holds contents. */
  readonly parts: readonly number[];
}

/** The contents of the rows of a part. */
export type MessagesPart = readonly PageMessage[];

export interface PageMessage {
  readonly id?: string;
  readonly session?: string;
  readonly lines: readonly Line[];
  /** What a response answers, where evidence stands in it. */
  readonly request?: readonly Line[];
}

/** A line of formatted JSON. */
export interface Line {
  readonly depth: number;
  readonly key?: string;
  /** `{`, `[`, `}`, `]`, a number or a word as it is written; a note of what was left out; or a string's own text. */
  readonly kind: 'mark' | 'word' | 'note' | 'text';
  readonly text: string;
  readonly comma?: true;
  /** Evidence; from 0 to 0 is the whole line. */
  readonly marks?: readonly LineMark[];
  /** Characters of the text that are in the trace file only. */
  readonly cuts?: readonly (readonly [at: number, characters: number])[];
}

export type LineMark = readonly [from: number, to: number, indicator: number];
