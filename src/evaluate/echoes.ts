import type { Protocol } from '../model/enumerations.ts';
import type { Path } from '../model/path.ts';
import type { MessageRecord } from '../model/trace.ts';
import type { BindingViews, Projection } from '../model/views.ts';
import { bodyPath } from './projections.ts';

/** What agents repeat of ours, in messages and in what is made of them. */
export interface Echoes {
  /** Where in a message our own words stand. */
  add(record: MessageRecord): readonly Path[];
  /** The same for a projection; `repeated` is what `add` said of the message that gave it. */
  inProjection(projection: Projection, repeated: readonly Path[]): readonly Path[];
}

/** Nothing where no binding that an indicator looks at has echoes. */
export function createEchoes(
  views: readonly BindingViews[],
  protocols: ReadonlySet<Protocol>,
): Echoes | undefined {
  const finders = views.flatMap(({ protocol, echoes }) =>
    echoes !== undefined && protocols.has(protocol) ? [{ protocol, finder: echoes() }] : [],
  );
  if (finders.length === 0) return undefined;
  return {
    add(record) {
      let found: readonly Path[] = [];
      for (const { protocol, finder } of finders) {
        const echoes = finder.echoesIn(record);
        if (protocol === record.protocol && record.origin === 'agent') found = echoes;
      }
      return found;
    },
    inProjection({ path, protocol, stream, content }, repeated) {
      if (path === bodyPath) return repeated.map((echo) => [bodyPath, ...echo]);
      if (stream === undefined) return [];
      const seenAs = { ...stream.last, method: stream.surfaces[0] ?? '', content };
      return finders.find((each) => each.protocol === protocol)?.finder.echoesIn(seenAs) ?? [];
    },
  };
}
