// The types of `oatf/testing/jest`, for tests that import `expect` from `@jest/globals`. They name a module that only Jest
// brings, so they stand apart and are shipped as they are; what runs is `oatf/testing`.

import type { ToResist } from './testing.js';

export * from './testing.js';

declare module 'expect' {
  interface Matchers<R extends void | Promise<void>, T = unknown> extends ToResist<R> {}
}
