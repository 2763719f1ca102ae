// The types of `oatf/testing/jest`, for tests that import `expect` from `@jest/globals`. They name a module that only
// Jest installs, so this file is separate and is shipped unchanged. At run time the module is `oatf/testing`.

import type { ToResist } from './testing.js';

export * from './testing.js';

declare module 'expect' {
  interface Matchers<R extends void | Promise<void>, T = unknown> extends ToResist<R> {}
}
