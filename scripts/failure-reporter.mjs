import { writeFileSync } from 'node:fs';

// A reporter of Vitest. It writes what failed into the file that OATF_FAILURES names: a list of texts, empty if nothing did.

// biome-ignore lint/style/noDefaultExport: Vitest takes the default export of a reporter's file
export default class FailureReporter {
  onTestRunEnd(modules, unhandled) {
    const describe = ({ message = 'an error without a message' }) => message.split('\n')[0];
    const failures = modules.flatMap((module) => [
      ...module.errors().map((error) => `${module.relativeModuleId}: ${describe(error)}`),
      ...[...module.children.allSuites()].flatMap((suite) =>
        suite.errors().map((error) => `${module.relativeModuleId} > ${suite.fullName}: ${describe(error)}`),
      ),
      ...[...module.children.allTests('failed')].map(
        (test) => `${module.relativeModuleId} > ${test.fullName}: ${describe(test.result().errors?.[0] ?? {})}`,
      ),
    ]);
    writeFileSync(
      process.env.OATF_FAILURES,
      JSON.stringify([...failures, ...unhandled.map((error) => `outside of the tests: ${describe(error)}`)]),
    );
  }
}
