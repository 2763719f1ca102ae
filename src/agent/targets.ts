import type { AgentFunction } from './function-agent.ts';

// Agents as a configuration describes them.

/** Values may hold {{env.NAME}}, so that no secret stands in a file. */
export interface TargetHeaders {
  readonly [name: string]: string;
}

export type Target = CommandTarget | AgUiTarget | HttpTarget | A2aTarget | LlmTarget | FunctionTarget;

interface AnyTarget {
  /** What its user says where the document leaves that open. */
  readonly prompt?: string;
}

/** A program that is launched for each run. */
export interface CommandTarget extends AnyTarget {
  /**
   * The program and its arguments, as words or as a shell would split them (none runs it). Placeholders: {{prompt}},
   * {{prompt_file}}, {{input_file}}, {{mcp_config}} (a file), {{actors.NAME.url}}, {{a2a_cards}}, {{env.NAME}}.
   */
  readonly command: string | readonly string[];
  /** Variables beside OATF_PROMPT, OATF_MCP_CONFIG, OATF_A2A_CARDS and OATF_<ACTOR>_URL; with placeholders. */
  readonly env?: { readonly [name: string]: string };
  /** What the program sees of our own environment: little (`clean`, the default) or all of it. */
  readonly environment?: 'clean' | 'inherited';
  /** Files to be written into the fresh working folder before the launch, by relative path; with placeholders. */
  readonly files?: { readonly [path: string]: string };
  /** Where it runs, in place of a fresh folder. */
  readonly cwd?: string;
  /** What it reads on its standard input; the prompt, if no placeholder has it, and nothing else otherwise. */
  readonly stdin?: 'prompt' | 'input' | 'nothing';
  /** What its standard output is. */
  readonly output?: 'text' | 'json' | 'jsonl';
  /** Where the answer is in the output: an RFC 9535 path such as `$.result`; for JSON Lines, of each line. */
  readonly answer?: string;
  /** With JSON Lines: whether the answers of the lines are pieces of one text, or texts of their own. */
  readonly pieces?: boolean;
  /** Several turns are several launches in the same folder, or lines to one process. */
  readonly turns?: 'launch' | 'keep';
  /** How it is told of MCP servers: by URL, or as programs to launch (`oatf bridge`). */
  readonly mcp?: 'http' | 'stdio';
  /** How long one turn may take. */
  readonly timeout?: string;
  /** Of its output, such as `8MB`. */
  readonly maxOutput?: string;
  /** Of it and all that it has started, such as `2GB`; only Linux can tell. */
  readonly maxMemory?: string;
}

/** A server that speaks AG-UI. */
export interface AgUiTarget extends AnyTarget, ServedTarget {
  readonly agUi: string;
}

/** A server with a JSON endpoint of its own. */
export interface HttpTarget extends AnyTarget, ServedTarget {
  readonly http: string;
  readonly method?: 'POST' | 'PUT' | 'PATCH';
  /**
   * The body of the request, sent as JSON. A text that is one placeholder becomes the value itself: {{prompt}},
   * {{messages}}, {{input}}, {{thread}}, {{mcp_config}}, {{a2a_cards}}, {{actors.NAME.url}}, {{env.NAME}}.
   */
  readonly body?: unknown;
  /** Where the answer is in the response: an RFC 9535 path; the whole response as text if left out. */
  readonly answer?: string;
}

/** A server that speaks A2A; the URL is that of the agent or of its card. */
export interface A2aTarget extends AnyTarget, ServedTarget {
  readonly a2a: string;
}

interface ServedTarget {
  readonly headers?: TargetHeaders;
  /** Starts the server once, before the first run, and ends it after the last. */
  readonly start?: Start;
  /** A request that is sent before each run, which tells the server of the run's endpoints. */
  readonly configure?: Configure;
}

export interface Start {
  readonly command: string | readonly string[];
  readonly env?: { readonly [name: string]: string };
  readonly environment?: 'clean' | 'inherited';
  readonly cwd?: string;
  /** Answers with a status below 400 once the server is ready; that it accepts connections is enough if left out. */
  readonly health?: string;
  /** How long it may take to be ready; 30 s if left out. */
  readonly timeout?: string;
}

export interface Configure {
  readonly url: string;
  readonly method?: 'POST' | 'PUT' | 'PATCH';
  readonly headers?: TargetHeaders;
  /** As in a target's body. */
  readonly body?: unknown;
}

/** The built-in agent with a language model behind it. */
export interface LlmTarget extends AnyTarget {
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
  /** For a million tokens, in any currency: gives the cost of each run. */
  readonly prices?: { readonly input: number; readonly output: number };
}

/** An agent in this process; only TypeScript and JavaScript can say it. */
export interface FunctionTarget extends AnyTarget {
  readonly function: AgentFunction;
}

/** What a target is read in. */
export interface TargetContext {
  readonly environment: { readonly [name: string]: string | undefined };
  /** What its relative paths start from: the folder of the configuration, or the one we were started in. */
  readonly folder: string;
}
