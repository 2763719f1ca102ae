import type { BindingViews, Echo, Projection } from '../../format/model/binding-views.ts';
import type { Protocol } from '../../format/model/enumeration-types.ts';
import type { MessageRecord } from '../../format/model/trace-record.ts';
import { bodyPath } from './projections.ts';

/** Finds the agent's echoes of our text, in messages and in their projections. */
export interface Echoes {
  /** The echoes in a message. */
  add(record: MessageRecord): readonly Echo[];
  /** The echoes in a projection. `repeated` is the result of `add` for the message that the projection was made from. */
  inProjection(projection: Projection, repeated: readonly Echo[]): readonly Echo[];
}

/** Undefined if no binding of these protocols declares echoes. */
export function createEchoes(views: readonly BindingViews[], protocols: ReadonlySet<Protocol>): Echoes | undefined {
  const finders = views.flatMap(({ protocol, echoes }) =>
    echoes !== undefined && protocols.has(protocol) ? [{ protocol, finder: echoes() }] : [],
  );
  if (finders.length === 0) return undefined;
  return {
    add(record) {
      let found: readonly Echo[] = [];
      for (const { protocol, finder } of finders) {
        const echoes = finder.echoesIn(record);
        if (protocol === record.protocol && record.origin === 'agent') found = echoes;
      }
      return found;
    },
    inProjection({ path, protocol, stream, content }, repeated) {
      if (path === bodyPath) return repeated.map((echo) => ({ ...echo, path: [bodyPath, ...echo.path] }));
      if (stream === undefined) return [];
      const seenAs = { ...stream.last, method: stream.surfaces[0] ?? '', content };
      const view = stream.isWhole ? 'whole' : 'part';
      return finders.findLast((each) => each.protocol === protocol)?.finder.echoesIn(seenAs, view) ?? [];
    },
  };
}
