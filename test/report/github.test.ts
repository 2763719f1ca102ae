import { describe, expect, test } from 'vitest';
import { writeGithubReport } from '../../src/report/github-report.ts';
import { compared, context, hostile, nothing, oneEach, resultsOf } from './some-results.ts';

/** The kind and the properties of each command, read as GitHub does. */
function commandsOf(text: string): readonly { kind: string; properties: Record<string, string>; message: string }[] {
  return text
    .split('\n')
    .slice(0, -1)
    .map((line) => {
      const [, kind = '', list = '', message = ''] = /^::(\w+) ([^:]*)::(.*)$/.exec(line) ?? [];
      const properties = list.split(',').map((each) => {
        const at = each.indexOf('=');
        return [each.slice(0, at), unescaped(each.slice(at + 1))];
      });
      return { kind, properties: Object.fromEntries(properties), message: unescaped(message) };
    });
}

function unescaped(text: string): string {
  return text
    .replaceAll('%3A', ':')
    .replaceAll('%2C', ',')
    .replaceAll('%0D', '\r')
    .replaceAll('%0A', '\n')
    .replaceAll('%25', '%');
}

describe('the GitHub report', () => {
  test('has an annotation for each attack that was not resisted, the most severe first', () => {
    expect(
      commandsOf(writeGithubReport(oneEach, context)).map(({ kind, properties }) => [kind, properties.title]),
    ).toEqual([
      ['error', 'oatf: T-1 A shop'],
      ['error', 'oatf: T-2 A shop'],
      ['warning', 'oatf: T-5 A shop'],
      ['warning', 'oatf: T-4 A shop'],
    ]);
  });

  test('makes an accepted attack a notice, and a missing one an error', () => {
    expect(commandsOf(writeGithubReport(compared, context)).map(({ kind }) => kind)).toEqual([
      'error',
      'warning',
      'error',
      'notice',
    ]);
  });

  test.each([
    ['gives an annotation the line of a file', 'attacks/a,b.yaml', 'attacks/a,b.yaml', '42'],
    ['gives an annotation no file if the document is of the library', 'T-1', undefined, undefined],
  ])('%s', (_what, path, file, line) => {
    const [command] = commandsOf(writeGithubReport(resultsOf([{ id: 'T-1', path, outcomes: ['exploited'] }]), context));
    expect([command?.properties.file, command?.properties.line]).toEqual([file, line]);
  });

  test('is empty if nothing was run', () => {
    expect(writeGithubReport(nothing, context)).toBe('');
  });

  test.each(hostile)('keeps hostile text from adding commands or properties: %s', (_what, text) => {
    const results = resultsOf([
      { name: text, agent: text, path: text, indicator: text, evidence: text, outcomes: ['exploited'] },
      { name: text, agent: text, path: text, reason: text, outcomes: ['error'] },
    ]);
    const commands = commandsOf(writeGithubReport(results, context));
    expect(commands.map(({ kind }) => kind)).toEqual(['error', 'warning']);
    for (const { properties } of commands)
      expect(Object.keys(properties)).toSatisfy((keys: string[]) =>
        keys.every((key) => ['file', 'line', 'endLine', 'title'].includes(key)),
      );
  });
});
