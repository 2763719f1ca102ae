import type { NormalizedDocument } from '../../../format/model/normalized.ts';
import { findNearest } from '../../../format/registry/suggestions.ts';
import { formatCarriedModes, isCarried } from '../../../suite/play/playable-modes.ts';
import type { Arguments } from '../../commands.ts';
import type { Io } from '../../io.ts';
import { refuseFlag, type WrongUsage } from '../settings/wrong-usage.ts';
import type { AddressFinder } from './listen.ts';
import type { StdioActor } from './stdio-actor.ts';

/** Reads `--stdio`; nothing if the flag was not given. */
export function readStdio(
  values: Pick<Arguments<'run'>, 'stdio' | 'agent' | 'json' | 'list' | 'documents'>,
  documents: readonly NormalizedDocument[],
  addresses: AddressFinder,
  io: Pick<Io, 'pipes'>,
): { readonly value: StdioActor | undefined } | WrongUsage {
  const { stdio, agent, json, list } = values;
  if (stdio === undefined) return { value: undefined };
  const typed = stdio === true ? '' : stdio;
  const wrong = (problem: string, hint: string): WrongUsage =>
    refuseFlag('stdio', typed === '' ? '' : `${typed}`, problem, hint);
  if (agent.length > 0) return wrong('the only client is the one that launched this process', 'leave --agent out');
  if (json || list)
    return wrong('standard output carries the protocol', `leave --${json ? 'json' : 'list'} out; results are on disk`);
  if (values.documents.includes('-'))
    return wrong('standard input carries the protocol', 'name the document as a file or an id');
  const [document] = documents;
  if (document === undefined || documents.length > 1)
    return wrong(`it plays one document, and ${documents.length} are given`, 'name one');
  const servers = document.attack.execution.actors.filter(({ mode }) => isCarried(mode, 'server', 'stdio'));
  const kind = formatCarriedModes('server', 'stdio');
  const names = servers.map(({ name }) => name);
  if (names.length === 0) return wrong(`the document has no ${kind} actor`, 'leave it out');
  if (typed === '' && names.length > 1)
    return wrong(`${names.length} actors could be meant: ${names.join(', ')}`, `name one, as in --stdio ${names[0]}`);
  const actor = typed === '' ? servers[0] : servers.find(({ name }) => name === typed);
  if (actor === undefined)
    return wrong(
      `no ${kind} actor is named "${typed}"`,
      `did you mean ${findNearest(typed, names) ?? names[0]}? a document stands before the flag`,
    );
  if (addresses(actor) !== undefined)
    return wrong(`the actor "${actor.name}" cannot listen as well`, 'leave its --listen out');
  return { value: { actor: actor.name, ...io.pipes() } };
}
