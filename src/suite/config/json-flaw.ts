const token =
  /[ \t\r\n]*(?:([[{])|([\]}])|([,:])|("(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*")|(-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null))/y;

type Expects = 'value' | 'value or end' | 'key' | 'key or end' | 'colon' | 'comma or end' | 'nothing';

/** Finds the offset at which a text stops being JSON. The error of JSON.parse does not always give one. */
export function findJsonFlaw(text: string): number {
  const open: ('{' | '[')[] = [];
  let expects: Expects = 'value';
  const afterValue = (): Expects => (open.length === 0 ? 'nothing' : 'comma or end');
  token.lastIndex = 0;
  for (let at = 0; ; at = token.lastIndex) {
    const start = at + (/^[ \t\r\n]*/.exec(text.slice(at, at + 10_000))?.[0].length ?? 0);
    token.lastIndex = at;
    const [, opens, closes, sign, string, scalar] = token.exec(text) ?? [];
    const takesValue: boolean = expects === 'value' || expects === 'value or end';
    if (opens !== undefined && takesValue) {
      open.push(opens as '{' | '[');
      expects = opens === '{' ? 'key or end' : 'value or end';
    } else if (closes !== undefined && expects.endsWith('end') && open.at(-1) === (closes === '}' ? '{' : '[')) {
      open.pop();
      expects = afterValue();
    } else if (string !== undefined && (expects === 'key' || expects === 'key or end')) expects = 'colon';
    else if ((string ?? scalar) !== undefined && takesValue) expects = afterValue();
    else if (sign === ':' && expects === 'colon') expects = 'value';
    else if (sign === ',' && expects === 'comma or end') expects = open.at(-1) === '{' ? 'key' : 'value';
    else return Math.min(start, text.length);
  }
}
