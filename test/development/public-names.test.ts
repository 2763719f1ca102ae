import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import * as sdk from '../../src/index.ts';

// A name that is added or goes is a change of the public surface: it belongs here, and in the changelog.

test('the SDK exports exactly the listed names', () => {
  expect(Object.keys(sdk).sort()).toEqual([
    'WrittenNumber',
    'agentVerdict',
    'computeEffectiveState',
    'computeVerdict',
    'createCelEvaluator',
    'defaultLimits',
    'diagnose',
    'directionOf',
    'encode',
    'enumerations',
    'evaluateCondition',
    'evaluateExpression',
    'evaluateExtractor',
    'evaluateIndicator',
    'evaluateIndicatorAsync',
    'evaluatePattern',
    'evaluatePredicate',
    'evaluateTrace',
    'evaluateTraceAsync',
    'evaluateTrigger',
    'extractProtocol',
    'interpolateTemplate',
    'interpolateValue',
    'isEvaluationError',
    'knownModes',
    'knownProtocols',
    'load',
    'messageValue',
    'normalize',
    'parse',
    'parseDuration',
    'parseJson',
    'readRecord',
    'resolveSimplePath',
    'resolveWildcardPath',
    'rules',
    'selectResponse',
    'selects',
    'serialize',
    'stringifyJson',
    'traceEvaluator',
    'validate',
  ]);
});

test('package.json exports exactly the listed entries', () => {
  const { exports } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
  expect(Object.keys(exports)).toEqual([
    '.',
    './runtime',
    './protocol',
    './testing',
    './testing/jest',
    './config',
    './schema.json',
    './config.schema.json',
    './results.schema.json',
    './package.json',
  ]);
});
