import table from '../../../data/payload-shapes.json' with { type: 'json' };
import type { Mode } from '../model/enumeration-types.ts';
import { getOwnValue, isValueMap, type Value, type ValueMap } from '../model/value.ts';
import { questionMethods } from './mcp-2026.ts';

// The keys that bindings read in the lists of a state (format spec §7.0.1, §7.1.4 to §7.1.6, §7.2, §7.3). Content that is
// sent unchanged has no row: it may be as malformed as the author likes.

export interface EntryShape {
  /** The keys that hold what is sent; an entry needs one of them. If the list is empty, it needs none. */
  readonly payload: readonly string[];
  /** Other keys that the binding reads. */
  readonly keys: readonly string[];
  /** Set if an entry without its payload sends nothing, even with the other keys. */
  readonly isNeeded?: true;
  /** Whether further keys belong to the protocol and are sent too. */
  readonly isOpen: boolean;
}

type EntryShapes = { readonly [key: string]: EntryShape };
type Lists = { readonly [key: string]: readonly string[] };

/** The response lists that stand inside what they answer for, by the key of that list (`tools`, `prompts`). */
export const responsesWithin: EntryShapes = table.responsesWithin;

/** The lists that stand in `state` itself. */
export const listsInState = table.listsInState as EntryShapes;

/** The field by which a request names an entry of each list. */
export const foundBy: { readonly [key: string]: string } = table.foundBy;

/** The fields that the format requires in the entries of each list. Without them, the entries are sent all the same. */
export const requiredFields: Lists = table.requiredFields;

/** The fields of a run input that are generated if the author leaves them out. */
export const generatedInputFields = ['threadId', 'runId'] as const;

/** Entry actions that OATF does not define (docs/extensions/README.md). */
export const actionExtensions: ReadonlySet<string> = new Set(table.actionExtensions);

export function listEntryActions(mode: Mode): readonly string[] {
  return ['send', 'log', ...(getOwnValue<readonly string[]>(table.entryActions, mode) ?? [])];
}

/**
 * Whether the content of a tool response is written as the message that carries it: `content` with a `messageId` or a
 * `toolCallId`, or `content` alone. AG-UI takes no other mapping as the result of a tool.
 */
export function isToolMessage(content: Value | undefined): content is ValueMap & { readonly content: Value } {
  if (!isValueMap(content) || !Object.hasOwn(content, 'content')) return false;
  const keys = Object.keys(content);
  return keys.length === 1 || keys.includes('messageId') || keys.includes('toolCallId');
}

/** Whether a message of this method asks the client something, which MCP allows within a request of the client only. */
export function isAloneForbidden(mode: Mode, method: string): boolean {
  return mode === 'mcp_server' && questionMethods.has(method);
}

/** Whether an actor of the mode sends `initialize` when it connects (format spec §7.1.5). */
export function isOpeningByItself(mode: Mode): boolean {
  return mode === 'mcp_client';
}

/** Says what to write for a wrong key that occurs in documents. */
export function explainKey(key: string): string | undefined {
  const meant = getOwnValue<string>(table.meanings, key);
  return meant === undefined ? undefined : `OATF 0.1 has ${meant}`;
}

/** Whether OATF 0.1 does not define the key, and this tool supports it (docs/extensions/README.md). */
export function isStateExtension(mode: string, key: string): boolean {
  return getOwnValue<readonly string[]>(table.stateExtensions, mode)?.includes(key) ?? false;
}

/** The structural keys of a mode's `state` (format spec §7.1.4, §7.1.5, §7.2.4, §7.2.5, §7.3); undefined for a mode that no included binding defines. */
export function listStateKeys(mode: string): readonly string[] | undefined {
  return getOwnValue<readonly string[]>(table.stateKeys, mode);
}
