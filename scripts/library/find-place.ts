import { type Data, fail, isMap } from './values.ts';

/**
 * Finds a place by names: `get_message/m-104/body` is in the tool of that name, in its response to that argument, the field
 * of that name. `else` is the response without a condition. A list place may be an index, and `end` stands behind a list.
 */
export function findNamedPlace(phase: Data, place: string): readonly (string | number)[] {
  const path: (string | number)[] = [];
  let at: Data = phase;
  const enter = (...keys: (string | number)[]): void => {
    for (const key of keys) {
      path.push(key);
      at = at?.[key];
    }
  };
  const names = place.split('/').filter((each) => each !== '');
  for (const [index, name] of names.entries()) {
    const isLast = index === names.length - 1;
    const found = findStep(at, name, path.at(-2) === 'responses' || path.length === 0);
    if (found !== undefined) enter(...found);
    else if (isLast && isMap(at)) enter(...(isMap(at.json) ? ['json', name] : [name]));
    else fail(`there is no "${name}" of ${place}: ${describe(at)}`);
  }
  return path;
}

function findStep(at: Data, name: string, isShort: boolean): readonly (string | number)[] | undefined {
  if (Array.isArray(at)) {
    if (name === 'end') return [at.length];
    if (/^\d+$/.test(name) && at.every((each) => !isNamed(each, name))) return [Number(name)];
    const index = at.findIndex((each) => isNamed(each, name));
    return index < 0 ? undefined : [index];
  }
  if (!isMap(at)) return undefined;
  if (Object.hasOwn(at, name)) return [name];
  if (Object.hasOwn(at, `${name}?`)) return [`${name}?`];
  for (const key of ['state', 'tools', 'arguments', 'responses', ...(isShort ? ['json'] : [])]) {
    const further = at[key] === undefined ? undefined : findStep(at[key], name, isShort);
    if (further !== undefined) return [key, ...further];
  }
  return undefined;
}

const names = ['name', 'uri', 'id', 'key'];

function isNamed(item: Data, name: string): boolean {
  if (!isMap(item)) return false;
  if (names.some((key) => String(item[key]) === name)) return true;
  const isResponse = 'json' in item || 'text' in item || 'content' in item;
  if (!isResponse || item.id !== undefined) return false;
  if (item.when === undefined) return name === 'else';
  return JSON.stringify(Object.values(item.when)).includes(name);
}

function describe(at: Data): string {
  if (Array.isArray(at)) return `a list of ${at.length}`;
  return isMap(at) ? Object.keys(at).join(', ') : typeof at;
}
