import { applyEdit, isWithinText, readAt } from './apply-edits.ts';
import { expandState, toWrittenPath } from './expand-state.ts';
import { type Data, fail, isMap } from './values.ts';

// Actors of a source: those of an environment, those of its own, and the user.

/** The servers of all environments: `OFF/mail`. */
export type Environments = { readonly [name: string]: { readonly [server: string]: Data } };

/** An actor twice: with its payload, and as its benign twin. */
interface BuiltActor {
  readonly attack: Data;
  readonly twin: Data;
}

export interface BuiltActors {
  readonly actors: readonly Data[];
  readonly marks: readonly Data[];
}

export function buildActors(source: Data, environments: Environments): BuiltActors {
  const written = [
    ...(source.user === undefined ? [] : [buildUser(source.id, source.user)]),
    ...(source.actors ?? []).map((actor: Data) => buildActor(actor, environments)),
  ];
  const actors = written.map((attack): BuiltActor => ({ attack, twin: structuredClone(attack) }));
  for (const edit of source.edits ?? [])
    for (const which of ['attack', 'twin'] as const) {
      const { phase, at } = findPhase(actors, edit.at, which);
      applyEdit(phase, { ...edit, at });
    }
  const marks = (source.marks ?? []).map((mark: Data) => buildMark(mark, actors));
  return { actors: actors.map(({ attack }) => expandActor(attack)), marks: dropRepeated(marks.map(finishMark)) };
}

/** `ACTOR/PLACE` or `ACTOR@PHASE/PLACE`. */
function findPhase(actors: readonly BuiltActor[], place: string, which: keyof BuiltActor) {
  const [owner = '', ...rest] = place.split('/');
  const [name, named] = owner.split('@');
  const actor = actors.find((each) => each.attack.name === name) ?? fail(`no actor is named "${name}" (${place})`);
  const { phases } = actor[which];
  const index = named === undefined ? 0 : phases.findIndex((each: Data) => each.name === named);
  const phase = phases[index] ?? fail(`the actor "${name}" has no phase "${named}"`);
  return { actor: actor[which].name, phase, at: rest.join('/') };
}

interface PlacedMark {
  readonly mark: Data;
  readonly owner: { readonly actor: string; readonly phase: Data };
  readonly path: readonly (string | number)[];
  readonly before: Data;
  readonly twin: Data;
}

function buildMark(mark: Data, actors: readonly BuiltActor[]): PlacedMark {
  const { at, payload, after, insert, benign } = mark;
  const owner = findPhase(actors, at, 'attack');
  const twin = findPhase(actors, at, 'twin').phase;
  const { path, before } = applyEdit(owner.phase, { at: owner.at, value: payload, after, insert });
  if (benign !== undefined && isWithinText(path)) applyEdit(twin, { at: owner.at, value: benign, insert });
  return { mark, owner, path, before, twin };
}

/** Called when all edits are made, since several marks may stand in the JSON of one text. */
function finishMark({ mark, owner, path, before, twin }: PlacedMark): Data {
  const { at: _, payload, after: _after, insert, benign, ...rest } = mark;
  const written = toWrittenPath(path);
  const inText = isWithinText(path);
  const original = inText ? readAt({ state: expandState(twin.state) }, written) : (benign ?? before);
  const isReplaced = inText || benign !== undefined || (payload !== undefined && !insert && before !== undefined);
  return {
    actor: owner.actor,
    phase: owner.phase.name,
    at: `/${written.map((key) => String(key).replaceAll('~', '~0').replaceAll('/', '~1')).join('/')}`,
    ...(isReplaced && { benign: original }),
    ...rest,
  };
}

function dropRepeated(marks: readonly Data[]): readonly Data[] {
  const placeOf = ({ actor, phase, at }: Data): string => `${actor} ${phase} ${at}`;
  return marks.filter((mark, index) => marks.findIndex((each) => placeOf(each) === placeOf(mark)) === index);
}

/** What the user says, in one turn or in several of one thread. */
function buildUser(id: string, user: Data): Data {
  const { says, context = [], tools = [], state = {} } = isMap(user) ? user : { says: user };
  const turns: readonly string[] = [says].flat();
  const thread = id.toLowerCase();
  return {
    name: 'user',
    mode: 'ag_ui_client',
    phases: turns.map((content, index) => ({
      name: index === 0 ? 'ask' : `ask-${index + 1}`,
      state: {
        run_agent_input: {
          threadId: thread,
          runId: `${thread}-${index + 1}`,
          state,
          messages: [{ id: `m${index + 1}`, role: 'user', content: content.trim() }],
          tools,
          context,
          forwardedProps: {},
        },
      },
      ...(index < turns.length - 1 && { trigger: { event: 'run_finished' } }),
    })),
  };
}

function buildActor(written: Data, environments: Environments): Data {
  const { name, from, tools = 'all', mode = 'mcp_server', state: own, phases, ...rest } = written;
  const [world = '', server = ''] = String(from ?? '').split('/');
  const known = from === undefined ? {} : environments[world]?.[server];
  if (known === undefined) fail(`there is no environment ${from}`);
  const chosen = from === undefined ? {} : { ...known, tools: chooseTools(known.tools, tools, from) };
  const state = () => structuredClone(joinStates(chosen, own ?? {}));
  const named = phases ?? [{ name: 'serve' }];
  return {
    name,
    mode,
    phases: named.map(({ state: later, edits, ...phase }: Data, index: number) => {
      const isOwn = index === 0 || edits !== undefined;
      if (!isOwn && later === undefined) return phase;
      const made = { ...phase, state: isOwn ? joinStates(state(), later ?? {}) : later };
      for (const edit of edits ?? []) applyEdit(made, edit);
      return made;
    }),
    ...rest,
  };
}

function joinStates(first: Data, second: Data): Data {
  const tools = [...(first.tools ?? []), ...(second.tools ?? [])];
  return { ...first, ...second, ...(tools.length > 0 && { tools }) };
}

function chooseTools(all: readonly Data[], wanted: 'all' | readonly string[], from: string): readonly Data[] {
  if (wanted === 'all') return all.filter(({ optional }) => !optional).map(withoutFlag);
  return wanted.map((name) =>
    withoutFlag(all.find((tool) => tool.name === name) ?? fail(`${from} has no tool "${name}"`)),
  );
}

function withoutFlag({ optional: _, ...tool }: Data): Data {
  return tool;
}

function expandActor(actor: Data): Data {
  const { phases } = actor;
  return {
    ...actor,
    phases: phases.map((phase: Data) =>
      phase.state === undefined ? phase : { ...phase, state: expandState(phase.state) },
    ),
  };
}
