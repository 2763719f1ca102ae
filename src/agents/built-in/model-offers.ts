import { isValueMap, type Value, type ValueMap } from '../../format/model/value.ts';
import type { AgentSurvey } from './a2a-survey.ts';
import type { Survey } from './mcp-survey.ts';
import type { OfferedTool } from './model.ts';

// Resources, prompts and other agents are not tools, but a model can only call functions. These names are the agent's
// own.
export const readResourceName = 'mcp_read_resource';
export const promptPrefix = 'mcp_prompt__';
export const agentPrefix = 'ask_agent_';
export const acceptElicitationName = 'accept_elicitation';
/** The owner of the tools that the user's application offers. */
const application = 'application';

/** The destination of a model's call. */
export type CallRoute =
  | { readonly kind: 'tool'; readonly server: string; readonly name: string }
  | { readonly kind: 'prompt'; readonly server: string; readonly name: string }
  | { readonly kind: 'resource'; readonly listed: ReadonlyMap<string, ResourcePlace>; readonly first: string }
  | { readonly kind: 'agent'; readonly cardUrl: string }
  | { readonly kind: 'frontend'; readonly name: string };

export interface ResourcePlace {
  readonly server: string;
  readonly uri: string;
}

export interface Offers {
  readonly tools: readonly OfferedTool[];
  readonly routes: ReadonlyMap<string, CallRoute>;
}

export function offerAll(
  surveys: readonly Survey[],
  frontendTools: readonly OfferedTool[],
  others: readonly AgentSurvey[] = [],
): Offers {
  const tools: OfferedTool[] = [];
  const routes = new Map<string, CallRoute>();
  const offer = (label: string, route: CallRoute, description: string, inputSchema: Value): void => {
    routes.set(label, route);
    tools.push({ name: label, description, inputSchema });
  };
  const isTaken = (label: string): boolean => label === readResourceName || routes.has(label);

  for (const { server, tools: own } of surveys)
    for (const { name, description, inputSchema } of own)
      offer(findFreeLabel(name, server, isTaken), { kind: 'tool', server, name }, description, inputSchema);
  for (const { cardUrl, name, description, failure } of others)
    if (failure === undefined) {
      const label = findFreeLabel(
        `${agentPrefix}${name.replace(/[^A-Za-z0-9]+/g, '_').slice(0, 50)}`,
        'other',
        isTaken,
      );
      offer(label, { kind: 'agent', cardUrl }, description, messageSchema);
    }
  for (const { name, description, inputSchema } of frontendTools)
    offer(findFreeLabel(name, application, isTaken), { kind: 'frontend', name }, description, inputSchema);
  for (const { server, prompts } of surveys)
    for (const { name, description, arguments: args } of prompts) {
      const label = findFreeLabel(`${promptPrefix}${name}`, server, isTaken);
      offer(label, { kind: 'prompt', server, name }, description, createArgumentsSchema(args));
    }
  const listed = listResources(surveys);
  const first = surveys.find(({ resources }) => resources.length > 0)?.server;
  if (first !== undefined)
    offer(
      readResourceName,
      { kind: 'resource', listed: new Map(listed.map(({ label, place }) => [label, place])), first },
      'Read a resource of a connected server.',
      createResourceSchema(listed),
    );
  return { tools, routes };
}

const messageSchema: ValueMap = {
  type: 'object',
  properties: { message: { type: 'string', description: 'What the agent is asked to do.' } },
  required: ['message'],
};

/** Adds the owner's name to the second of two equal names; on the wire both keep their own. */
function findFreeLabel(name: string, owner: string, isTaken: (label: string) => boolean): string {
  if (!isTaken(name)) return name;
  const qualified = `${owner}__${name}`;
  let label = qualified;
  for (let count = 2; isTaken(label); count++) label = `${qualified}_${count}`;
  return label;
}

interface LabelledResource {
  readonly label: string;
  readonly title: string;
  readonly description: string;
  readonly place: ResourcePlace;
}

function listResources(surveys: readonly Survey[]): readonly LabelledResource[] {
  const labelled: LabelledResource[] = [];
  const taken = new Set<string>();
  for (const { server, resources } of surveys)
    for (const { uri, name, description } of resources) {
      const label = findFreeLabel(uri, server, (one) => taken.has(one));
      taken.add(label);
      labelled.push({ label, title: name, description, place: { server, uri } });
    }
  return labelled;
}

function createResourceSchema(listed: readonly LabelledResource[]): ValueMap {
  const known = listed.map(({ label, title, description }) => ({ const: label, title, description }));
  return {
    type: 'object',
    properties: { uri: { type: 'string', anyOf: [...known, { type: 'string' }] } },
    required: ['uri'],
  };
}

function createArgumentsSchema(args: Survey['prompts'][number]['arguments']): ValueMap {
  return {
    type: 'object',
    properties: Object.fromEntries(args.map(({ name, description }) => [name, { type: 'string', description }])),
    required: args.filter(({ required }) => required).map(({ name }) => name),
  };
}

/** Turns the arguments of a prompt into strings, whatever the model gives. */
export function readPromptArguments(args: ValueMap): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(args).map(([name, value]) => [
      name,
      typeof value === 'string' ? value : isValueMap(value) ? JSON.stringify(value) : String(value),
    ]),
  );
}

interface NamedResource {
  readonly uri: string;
  readonly title: string;
  readonly description: string;
}

/** The resources on offer, which the schema of the reading function lists one by one. */
export function listOfferedResources(tools: readonly OfferedTool[]): readonly NamedResource[] {
  const schema = tools.find(({ name }) => name === readResourceName)?.inputSchema;
  const uri = isValueMap(schema) && isValueMap(schema.properties) ? schema.properties.uri : undefined;
  const options = isValueMap(uri) && Array.isArray(uri.anyOf) ? (uri.anyOf as readonly Value[]) : [];
  return options.flatMap((option) =>
    isValueMap(option) && typeof option.const === 'string'
      ? [
          {
            uri: option.const,
            title: String(option.title ?? ''),
            description: String(option.description ?? ''),
          },
        ]
      : [],
  );
}
