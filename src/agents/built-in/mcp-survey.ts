import type { Client, Prompt, Resource, Tool } from '@modelcontextprotocol/client';
import type { Value, ValueMap } from '../../format/model/value.ts';

/** The offers of a server at one moment. */
export interface Survey {
  readonly server: string;
  readonly url: string;
  readonly instructions: string;
  /** What the server says of itself. */
  readonly info?: ValueMap | undefined;
  readonly tools: readonly {
    readonly name: string;
    readonly description: string;
    readonly inputSchema: Value;
    readonly annotations?: ValueMap | undefined;
  }[];
  readonly resources: readonly ListedResource[];
  readonly prompts: readonly ListedPrompt[];
  /** Why something is missing, in our own words: only the model may pass on a server's words. */
  readonly failure?: string;
}

export interface ListedResource {
  readonly uri: string;
  readonly name: string;
  readonly description: string;
}

export interface ListedPrompt {
  readonly name: string;
  readonly description: string;
  readonly arguments: readonly {
    readonly name: string;
    readonly description: string;
    readonly required: boolean;
  }[];
}

type Offered = Omit<Survey, 'server' | 'url' | 'failure'>;

const nothing: Offered = { instructions: '', tools: [], resources: [], prompts: [] };

export function describeUnreachable(server: string, url: string): Survey {
  return { server, url, ...nothing, failure: 'could not be reached' };
}

export interface SurveyResult {
  readonly offered: Offered;
  /** How many of the requested lists arrived. */
  readonly answers: 'all' | 'some' | 'none';
}

/** Requests all lists at once. A list that does not arrive is empty. */
export async function surveyClient(
  client: Client,
  options: { readonly signal: AbortSignal; readonly timeout: number },
): Promise<SurveyResult> {
  const { tools, resources, prompts } = client.getServerCapabilities() ?? {};
  const lists = await Promise.allSettled([
    // Tools are requested even from a server that does not declare them, as many agents do.
    tools === undefined ? client.request({ method: 'tools/list' }, options) : client.listTools(undefined, options),
    resources === undefined ? undefined : client.listResources(undefined, options),
    prompts === undefined ? undefined : client.listPrompts(undefined, options),
  ]);
  const [toolList, resourceList, promptList] = lists;
  const failed = lists.filter(({ status }) => status === 'rejected').length;
  const asked = [true, resources !== undefined, prompts !== undefined].filter(Boolean).length;
  return {
    offered: {
      instructions: client.getInstructions() ?? '',
      info: client.getServerVersion() as unknown as ValueMap | undefined,
      tools: (takeFulfilled(toolList)?.tools ?? []).map(toListedTool),
      resources: (takeFulfilled(resourceList)?.resources ?? []).map(toListedResource),
      prompts: (takeFulfilled(promptList)?.prompts ?? []).map(toListedPrompt),
    },
    answers: failed === 0 ? 'all' : failed === asked ? 'none' : 'some',
  };
}

function takeFulfilled<T>(settled: PromiseSettledResult<T>): T | undefined {
  return settled.status === 'fulfilled' ? settled.value : undefined;
}

function toListedTool({ name, description = '', inputSchema, annotations }: Tool): Survey['tools'][number] {
  return {
    name,
    description,
    inputSchema: inputSchema as unknown as Value,
    annotations: annotations as unknown as ValueMap | undefined,
  };
}

function toListedResource({ uri, name, description = '' }: Resource): ListedResource {
  return { uri, name, description };
}

function toListedPrompt({ name, description = '', arguments: args = [] }: Prompt): ListedPrompt {
  return {
    name,
    description,
    arguments: args.map((argument) => ({
      name: argument.name,
      description: argument.description ?? '',
      required: argument.required ?? false,
    })),
  };
}
