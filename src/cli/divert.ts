/** A stream that is kept for us while what others write to it goes elsewhere. */
export interface Diverted {
  /** For us: what is written here goes where it always went. */
  readonly stream: NodeJS.WriteStream;
  /** From now on what anybody else writes goes elsewhere. */
  begin(): void;
}

export function divert(from: NodeJS.WriteStream, to: NodeJS.WriteStream): Diverted {
  const write = from.write.bind(from);
  return {
    stream: new Proxy(from, {
      get(target, key) {
        if (key === 'write') return write;
        const value: unknown = Reflect.get(target, key, target);
        return typeof value === 'function' ? value.bind(target) : value;
      },
    }),
    begin() {
      from.write = to.write.bind(to) as typeof from.write;
    },
  };
}
