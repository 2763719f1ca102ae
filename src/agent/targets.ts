import type { SurfaceName } from '../registry/pieces.ts';
import type { AgentFunction } from './function-agent.ts';

export type { SurfaceName };

// Agents as a configuration describes them.

/** Values may hold {{env.NAME}}, so that no secret stands in a file. */
export interface TargetHeaders {
  readonly [name: string]: string;
}

/** An agent to attack, as a configuration describes it. Its first key says of which kind it is. */
export type Target = CommandTarget | AgUiTarget | HttpTarget | A2aTarget | LlmTarget | FunctionTarget;

/** What only one kind of target says, by which it is told from the others. */
export interface TargetKinds {
  readonly command: unknown;
  readonly agUi: unknown;
  readonly http: unknown;
  readonly a2a: unknown;
  readonly llm: unknown;
  readonly function: unknown;
}

/** A target that is of this kind, and of no other. */
export type OfKind<K extends keyof TargetKinds> = {
  readonly [Other in Exclude<keyof TargetKinds, K>]?: never;
};

/** What every target may say. */
export interface AnyTarget {
  /** What its user says where the document leaves that open. */
  readonly prompt?: string;
  /** Surfaces that it does not have: attacks that need one do not apply to it, unless it uses it all the same. */
  readonly without?: readonly SurfaceName[];
}

/** A program that is launched for each run. */
export interface CommandTarget extends AnyTarget, OfKind<'command'> {
  /**
   * The program and its arguments, as words or as a shell would split them (none runs it). Placeholders: {{prompt}},
   * {{prompt_file}}, {{input_file}}, {{mcp_config}} (a file), {{mcp_servers}} (what is in it, as JSON),
   * {{mcp_servers.codex}}, {{mcp_servers.opencode}} (the same as these programs want it), {{actors.NAME.url}},
   * {{a2a_cards}}, {{cwd}} (where it runs), {{config_folder}} (where the configuration is), {{env.NAME}}.
   */
  readonly command: string | readonly string[];
  /** The command of the turns after the first, where it is another one: `my-agent --continue {{prompt}}`. */
  readonly followUp?: string | readonly string[];
  /** Variables beside OATF_PROMPT, OATF_MCP_CONFIG, OATF_A2A_CARDS and OATF_<ACTOR>_URL; with placeholders. */
  readonly env?: { readonly [name: string]: string };
  /** What the program sees of our own environment: little (`clean`, the default) or all of it. */
  readonly environment?: 'clean' | 'inherited';
  /**
   * Files to be written into the fresh working folder before the first turn, by relative path; with the placeholders that
   * are the same for all turns.
   */
  readonly files?: { readonly [path: string]: string };
  /** Where it runs, in place of a fresh folder. */
  readonly cwd?: string;
  /** What it reads on its standard input; the prompt, if no placeholder has it, and nothing else otherwise. */
  readonly stdin?: 'prompt' | 'input' | 'nothing';
  /** What its standard output is; text if left out. */
  readonly output?: 'text' | 'json' | 'jsonl';
  /**
   * Where the answer is in the output: an RFC 9535 path such as `$.result`; for JSON Lines, of each line. All of the
   * output if left out.
   */
  readonly answer?: string;
  /** With JSON Lines: whether the answers of the lines are pieces of one text, or texts of their own. */
  readonly pieces?: boolean;
  /** Several turns are several launches in the same folder (the default), or lines to one process. */
  readonly turns?: 'launch' | 'keep';
  /** How it is told of MCP servers: by URL, or as programs to launch (`oatf bridge`). */
  readonly mcp?: 'http' | 'stdio';
  /** How long one turn may take, such as `90s`; as long as the run if left out. */
  readonly timeout?: string;
  /** Of its output in one turn; `8MB` if left out. */
  readonly maxOutput?: string;
  /** Of it and all that it has started; `4GB` if left out. Only Linux can tell. */
  readonly maxMemory?: string;
}

/** A server that speaks AG-UI. */
export interface AgUiTarget extends AnyTarget, ServedTarget, OfKind<'agUi'> {
  readonly agUi: string;
}

/** A server with a JSON endpoint of its own. */
export interface HttpTarget extends AnyTarget, ServedTarget, OfKind<'http'> {
  readonly http: string;
  readonly method?: 'POST' | 'PUT' | 'PATCH';
  /**
   * The body of the request, sent as JSON; `{ "prompt": "{{prompt}}" }` if left out. A text that is one placeholder
   * becomes the value itself: {{prompt}}, {{messages}} (as chat completions have them), {{input}} (the whole AG-UI run
   * input), {{thread}} (the same for all turns of a conversation), and those of `headers`.
   */
  readonly body?: unknown;
  /** Where the answer is in the response: an RFC 9535 path; the whole response as text if left out. */
  readonly answer?: string;
}

/** A server that speaks A2A; the URL is that of the agent or of its card. */
export interface A2aTarget extends AnyTarget, ServedTarget, OfKind<'a2a'> {
  readonly a2a: string;
}

/** What every target that is a server may say. */
export interface ServedTarget {
  /**
   * Sent with every request. Placeholders: {{run}} (an id of this run's own), {{mcp_config}}, {{a2a_cards}},
   * {{actors.NAME.url}}, {{env.NAME}}; {{thread}} too where the target is `http`.
   */
  readonly headers?: TargetHeaders;
  /** Starts the server once, before the first run, and ends it after the last. */
  readonly start?: Start;
  /**
   * A request that is sent before each run, which tells the server of the run's endpoints. A server that keeps them by
   * {{run}}, and is given the same {{run}} in `headers` or `body`, can be attacked by several runs at once.
   */
  readonly configure?: Configure;
}

/** How a server is started before the first run. */
export interface Start {
  /** As words or as a shell would split them (none runs it). The only placeholder in `start` is {{env.NAME}}. */
  readonly command: string | readonly string[];
  /** Variables for it. */
  readonly env?: { readonly [name: string]: string };
  readonly environment?: 'clean' | 'inherited';
  readonly cwd?: string;
  /** Answers with a status below 400 once the server is ready; that it accepts connections is enough if left out. */
  readonly health?: string;
  /** How long it may take to be ready; 30 s if left out. */
  readonly timeout?: string;
}

/** The request that tells a server of a run before it begins. */
export interface Configure {
  readonly url: string;
  readonly method?: 'POST' | 'PUT' | 'PATCH';
  readonly headers?: TargetHeaders;
  /** Sent as JSON; its placeholders are those of a target's `headers`. */
  readonly body?: unknown;
}

/** The built-in agent with a language model behind it. */
export interface LlmTarget extends AnyTarget, OfKind<'llm'> {
  /** As behind llm: of --agent. */
  readonly llm: string;
  readonly baseUrl?: string;
  /** A file that holds the key and nothing else. */
  readonly keyFile?: string;
  /** The variable that holds the key. */
  readonly keyEnv?: string;
  readonly temperature?: number;
  readonly maxTokens?: number;
  /** What the agent is told before everything else, in place of our own words. */
  readonly systemPrompt?: string;
  /** Whether its service is asked for answers piece by piece; it is unless this says no. */
  readonly stream?: boolean;
  /** How tools are offered: as its API has it, or in words to a model that has none. */
  readonly tools?: 'native' | 'text';
  /** For a million tokens, in any currency: gives the cost of each run. */
  readonly prices?: { readonly input: number; readonly output: number };
}

/** An agent in this process; only TypeScript and JavaScript can say it. */
export interface FunctionTarget extends AnyTarget, OfKind<'function'> {
  readonly function: AgentFunction;
}

/** What a target is read in. */
export interface TargetContext {
  readonly environment: { readonly [name: string]: string | undefined };
  /** What its relative paths start from: the folder of the configuration, or the one we were started in. */
  readonly folder: string;
}
