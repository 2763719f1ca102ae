import type { Protocol } from '../../format/model/enumeration-types.ts';

// The choices for a new document: a surface for the payload, a protocol that has it, and the goal of the payload.

export const goals = {
  exfiltrate: 'send away what the agent knows of its user',
  act: 'do what the user did not ask for',
} as const;

export type Goal = keyof typeof goals;

interface Surface {
  readonly protocol: Protocol;
  readonly says: string;
}

export const surfaces = {
  'tool-description': { protocol: 'mcp', says: 'the description of a tool' },
  'tool-response': { protocol: 'mcp', says: 'what a tool answers' },
  instructions: { protocol: 'mcp', says: 'the instructions of a server' },
  resource: { protocol: 'mcp', says: 'the text of a resource' },
  'rug-pull': { protocol: 'mcp', says: 'the description of a tool, changed after three calls' },
  card: { protocol: 'a2a', says: 'the card of another agent' },
  'task-response': { protocol: 'a2a', says: 'what another agent answers' },
  context: { protocol: 'ag_ui', says: 'what the user’s application passes along' },
} as const satisfies { readonly [name: string]: Surface };

export type SurfaceChoice = keyof typeof surfaces;

export const surfaceChoices = Object.keys(surfaces) as readonly SurfaceChoice[];
export const goalChoices = Object.keys(goals) as readonly Goal[];

export interface DocumentChoice {
  readonly surface: SurfaceChoice;
  readonly goal: Goal;
  readonly id: string;
  readonly name: string;
}
