import table from '../../../../data/state-shapes.json' with { type: 'json' };
import type { Mode } from '../../model/enumeration-types.ts';

// The content of `state` by mode, for authors: an editor offers these keys and explains them. Only the structural keys are
// the format's. What they contain belongs to the protocol, so nothing is forbidden there.

export interface StateShape {
  readonly says: string;
  /** The shapes of its entries (`list`) or of its fields (`map`). */
  readonly list?: StateShapes;
  readonly map?: StateShapes;
  /** Common values. Others are allowed. */
  readonly values?: readonly string[];
  /** Set if it holds dot-paths with conditions. */
  readonly isPredicate?: boolean;
  /** Set for a key that OATF does not define and this tool supports. */
  readonly isOurs?: boolean;
}

export type StateShapes = { readonly [key: string]: StateShape };

/** A row of state-shapes.json: a text alone, a shape, or the name of one of its shared shapes. */
type ShapeRow =
  | string
  | { readonly use: string }
  | (Omit<StateShape, 'list' | 'map'> & { readonly list?: ShapeRows | string; readonly map?: ShapeRows | string });
type ShapeRows = { readonly [key: string]: ShapeRow };

const shared: ShapeRows = table.shared;
const parts: { readonly [name: string]: ShapeRows } = table.parts;

function readShape(row: ShapeRow | undefined): StateShape {
  if (row === undefined) throw new Error('state-shapes.json uses a shape that it does not have');
  if (typeof row === 'string') return { says: row };
  if ('use' in row) return readShape(shared[row.use]);
  const { list, map, ...shape } = row;
  return {
    ...shape,
    ...(list !== undefined && { list: readShapes(list) }),
    ...(map !== undefined && { map: readShapes(map) }),
  };
}

function readShapes(rows: ShapeRows | string): StateShapes {
  const found = typeof rows === 'string' ? (parts[rows] ?? {}) : rows;
  return Object.fromEntries(Object.entries(found).map(([key, row]) => [key, readShape(row)]));
}

function readModes(modes: { readonly [mode: string]: ShapeRows }): { readonly [mode: Mode]: StateShapes } {
  return Object.fromEntries(Object.entries(modes).map(([mode, rows]) => [mode, readShapes(rows)]));
}

export const stateShapes = readModes(table.states);

/** Entry actions besides `send` and `log`. */
export const entryActionShapes = readModes(table.entryActions);
