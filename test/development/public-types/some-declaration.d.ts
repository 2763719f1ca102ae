// A declaration with one mistake of each kind, for the test of the test.

export declare const missing: () => void;
export declare const words: readonly ['a', 'b'];
export declare const shape: { readonly kept: number; readonly lost: number; readonly may?: number };
export declare const nested: { readonly inner: { readonly word: 'x' } };
export declare const called: () => void;
export declare class Made {
  method(): void;
}
export interface OnlyType {
  readonly member: string;
}
