import type { SurfaceName } from '../../format/registry/piece-kinds.ts';
import type { AgentFunction } from './function-agent.ts';

export type { SurfaceName };

// Agents as a configuration describes them.

/** Headers by name. Values may hold {{env.NAME}}, so that the file contains no secret. */
export interface TargetHeaders {
  readonly [name: string]: string;
}

/** An agent to attack, as a configuration describes it. One key, such as `command` or `llm`, says what kind it is. */
export type Target = CommandTarget | AgUiTarget | HttpTarget | A2aTarget | LlmTarget | FunctionTarget;

/** The keys that decide the kind of a target; each belongs to one kind only. */
export interface TargetKinds {
  readonly command: unknown;
  readonly agUi: unknown;
  readonly http: unknown;
  readonly a2a: unknown;
  readonly llm: unknown;
  readonly function: unknown;
}

/** A target of one kind: the fields that name other kinds are absent. */
export type OfKind<K extends keyof TargetKinds> = {
  readonly [Other in Exclude<keyof TargetKinds, K>]?: never;
};

/** The fields that every target has. */
export interface AnyTarget {
  /** The prompt of its user, if the document sets none. */
  readonly prompt?: string;
  /** Surfaces that the agent lacks: attacks that need one do not apply to it, unless it uses the surface anyway. */
  readonly without?: readonly SurfaceName[];
}

/** A program that is launched for each run. */
export interface CommandTarget extends AnyTarget, OfKind<'command'> {
  /**
   * The program and its arguments, as a list or as one text that is split like a shell command (no shell runs).
   * Placeholders: {{prompt}}, {{prompt_file}}, {{input_file}}, {{mcp_config}} (a file), {{mcp_servers}} (its contents,
   * as JSON), {{mcp_servers.codex}}, {{mcp_servers.opencode}} (the same in the format of these programs),
   * {{actors.NAME.url}}, {{a2a_cards}}, {{cwd}} (its working directory), {{config_folder}} (the folder of the
   * configuration), {{env.NAME}}.
   */
  readonly command: string | readonly string[];
  /** The command of the turns after the first, if it differs: `my-agent --continue {{prompt}}`. */
  readonly followUp?: string | readonly string[];
  /**
   * Environment variables in addition to OATF_PROMPT, OATF_MCP_CONFIG, OATF_A2A_CARDS and OATF_<ACTOR>_URL; values may
   * hold placeholders.
   */
  readonly env?: { readonly [name: string]: string };
  /** How much of our environment the program inherits: little (`clean`, the default) or all of it. */
  readonly environment?: 'clean' | 'inherited';
  /**
   * Files to write into the new working directory before the first turn, by relative path. Texts may hold the
   * placeholders that are the same for all turns.
   */
  readonly files?: { readonly [path: string]: string };
  /** Its working directory, instead of a new folder. */
  readonly cwd?: string;
  /** The text on its standard input. Default: the prompt if no placeholder holds it, otherwise nothing. */
  readonly stdin?: 'prompt' | 'input' | 'nothing';
  /** The format of its standard output. Default: text. */
  readonly output?: 'text' | 'json' | 'jsonl';
  /**
   * The place of the answer in the output: an RFC 9535 path such as `$.result`; for JSON Lines, within each line.
   * Default: the whole output.
   */
  readonly answer?: string;
  /** With JSON Lines: whether the answers of the lines are pieces of one text, or texts of their own. */
  readonly pieces?: boolean;
  /** Whether each turn is a launch in the same folder (the default), or a line to one process. */
  readonly turns?: 'launch' | 'keep';
  /** How it reaches MCP servers: by URL, or as programs that it launches (`oatf bridge`). */
  readonly mcp?: 'http' | 'stdio';
  /** How long one turn may take, such as `90s`. Default: as long as the run. */
  readonly timeout?: string;
  /** The most output of one turn. Default: `8MB`. */
  readonly maxOutput?: string;
  /** The most memory of the program and its child processes together. Default: `4GB`. Measured only on Linux. */
  readonly maxMemory?: string;
  /**
   * Names of programs that may still run when the agent has ended, such as language servers and build daemons. Other
   * processes that are left make a run inconclusive.
   */
  readonly helpers?: readonly string[];
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
   * The body of the request, sent as JSON. Default: `{ "prompt": "{{prompt}}" }`. A text that consists of one
   * placeholder becomes the value itself: {{prompt}}, {{messages}} (as in chat completions), {{input}} (the whole AG-UI
   * run input), {{thread}} (the same for all turns of a conversation), and those of `headers`.
   */
  readonly body?: unknown;
  /** The place of the answer in the response: an RFC 9535 path. Default: the whole response as text. */
  readonly answer?: string;
}

/** A server that speaks A2A; the URL is that of the agent or of its card. */
export interface A2aTarget extends AnyTarget, ServedTarget, OfKind<'a2a'> {
  readonly a2a: string;
}

/** The fields that every server target has. */
export interface ServedTarget {
  /**
   * Sent with every request. Placeholders: {{run}} (an id of the run), {{mcp_config}}, {{a2a_cards}},
   * {{actors.NAME.url}}, {{env.NAME}}; also {{thread}} if the target is `http`.
   */
  readonly headers?: TargetHeaders;
  /** Starts the server once, before the first run, and ends it after the last. */
  readonly start?: Start;
  /**
   * A request before each run that tells the server the run's endpoints. A server that stores them by {{run}}, and gets
   * the same {{run}} in `headers` or `body`, can be attacked by several runs at once.
   */
  readonly configure?: Configure;
}

/** How a server is started before the first run. */
export interface Start {
  /**
   * The command, as a list or as one text that is split like a shell command (no shell runs). The only placeholder in
   * `start` is {{env.NAME}}.
   */
  readonly command: string | readonly string[];
  /** Environment variables for it. */
  readonly env?: { readonly [name: string]: string };
  readonly environment?: 'clean' | 'inherited';
  readonly cwd?: string;
  /** A URL that answers with a status below 400 once the server is ready. Default: an accepted connection is enough. */
  readonly health?: string;
  /** How long it may take to become ready. Default: 30 s. */
  readonly timeout?: string;
}

/** The request that sends a server the endpoints of a run before the run begins. */
export interface Configure {
  readonly url: string;
  readonly method?: 'POST' | 'PUT' | 'PATCH';
  readonly headers?: TargetHeaders;
  /** Sent as JSON; its placeholders are those of a target's `headers`. */
  readonly body?: unknown;
}

/** The built-in agent with a language model behind it. */
export interface LlmTarget extends AnyTarget, OfKind<'llm'> {
  /** The model, written as after llm: in --agent. */
  readonly llm: string;
  readonly baseUrl?: string;
  /** A file that holds the key and nothing else. */
  readonly keyFile?: string;
  /** The environment variable that holds the key. */
  readonly keyEnv?: string;
  readonly temperature?: number;
  readonly maxTokens?: number;
  /** The system prompt of the agent, instead of ours. */
  readonly systemPrompt?: string;
  /** Whether answers are streamed. Default: true. */
  readonly stream?: boolean;
  /** How tools are offered: through the API, or described in words for a model without tools. */
  readonly tools?: 'native' | 'text';
  /** Prices of a million tokens, in any currency; they give the cost of each run. */
  readonly prices?: { readonly input: number; readonly output: number };
}

/** An agent in this process; only a configuration in TypeScript or JavaScript can contain it. */
export interface FunctionTarget extends AnyTarget, OfKind<'function'> {
  readonly function: AgentFunction;
}

/** What a target needs to know of the place where it is used. */
export interface TargetContext {
  readonly environment: { readonly [name: string]: string | undefined };
  /** The folder that its relative paths start from: that of the configuration, or our working directory. */
  readonly folder: string;
}
