/** A stream that is kept for us, while output from other code goes elsewhere. */
export interface DivertedConsole {
  /** Our stream: output written here goes to the original destination. */
  readonly stream: NodeJS.WriteStream;
  /** From now on, output of other code goes elsewhere. */
  begin(): void;
}

export function divertConsole(from: NodeJS.WriteStream, to: () => NodeJS.WriteStream): DivertedConsole {
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
      const elsewhere = to();
      from.write = elsewhere.write.bind(elsewhere) as typeof from.write;
    },
  };
}
