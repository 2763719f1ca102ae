import type { ModelInput } from '../model.ts';
import { agentPrefix, readResourceName } from '../offers.ts';
import { chooseTools } from './choose-tools.ts';
import { clausesOf } from './clauses.ts';
import { fillFromWords } from './fill-arguments.ts';
import { findAll } from './found-in-text.ts';
import { listedResources } from './listed-resources.ts';
import { tidy } from './tidy.ts';
import { aboutOf, profileOf, type ToolProfile } from './tool-profile.ts';
import { contentStems, wordsOf } from './words.ts';

/** A call that the user's own words ask for. */
export interface TaskCall {
  readonly tool: ToolProfile;
  readonly arguments: ReturnType<typeof fillFromWords>;
}

const longest = 16 * 1024;

/** The calls that do what a request says, with nothing in them that the request does not say. */
export function taskCalls(said: string, { tools }: Pick<ModelInput, 'tools'>): readonly TaskCall[] {
  const request = tidy(said, longest);
  const profiles = tools.map(profileOf);
  const reader = profiles.find(({ name }) => name === readResourceName);
  const uris = reader === undefined ? [] : askedResources(request, listedResources(tools));
  const choosable = profiles.filter(({ name }) => name !== readResourceName);
  // An address that a resource answers to is not one for the web.
  const clauses = clausesOf(uris.reduce((text, uri) => text.replaceAll(uri, ''), request));
  const calls: TaskCall[] = uris.flatMap((uri) =>
    reader === undefined ? [] : [{ tool: reader, arguments: { uri } }],
  );
  for (const { tool, clause } of chooseTools(clauses, choosable)) {
    const near = clause.text.replaceAll(tool.ownName, ' ');
    const words = { near, far: request.replaceAll(tool.ownName, ' '), about: aboutOf(tool) };
    // Another agent is told what the user said.
    const isAgent = tool.name.startsWith(agentPrefix);
    const call = {
      tool,
      arguments: isAgent ? { message: request } : fillFromWords(tool.parameters, words),
    };
    if (!calls.some((other) => other.tool.name === tool.name && sameArguments(other, call))) calls.push(call);
  }
  return calls;
}

function askedResources(request: string, listed: ReturnType<typeof listedResources>): readonly string[] {
  const said = new Set(contentStems(wordsOf(request)));
  const named = listed.filter(({ uri, title }) => {
    const words = contentStems(wordsOf(title));
    return request.includes(uri) || (words.length > 0 && words.every((word) => said.has(word)));
  });
  const others = findAll('uris', request).filter((uri) => !/^(?:https?|ftp|mailto):/i.test(uri));
  return [...new Set([...named.map(({ uri }) => uri), ...others])];
}

function sameArguments(one: TaskCall, other: TaskCall): boolean {
  return JSON.stringify(one.arguments) === JSON.stringify(other.arguments);
}
