import { parseDuration } from '../primitives/parse-duration.ts';
import { patterns } from '../registry/fields.ts';
import { createFinding, quoteValue, type RuleTable } from './rule-finding.ts';

const supportedVersions = ['0.1'];
const attackId = new RegExp(patterns.attackId);
const dateOrDateTime = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2}))?$/;

export const envelopeRules = {
  'V-001': function* ({ oatf }) {
    if (oatf === undefined) yield createFinding(['oatf'], 'required field `oatf` is missing');
    else if (!supportedVersions.includes(oatf))
      yield createFinding(
        ['oatf'],
        `version ${quoteValue(oatf)} is not supported; supported: ${supportedVersions.join(', ')}`,
      );
  },
  'W-001': function* (document) {
    if (document.oatf !== undefined && Object.keys(document)[0] !== 'oatf')
      yield createFinding(['oatf'], '`oatf` should be the first key');
  },
  'V-003': function* ({ attack }) {
    if (attack === undefined) yield createFinding(['attack'], 'required field `attack` is missing');
  },
  'V-004': function* ({ attack }) {
    if (attack !== undefined && attack.execution === undefined)
      yield createFinding(['attack', 'execution'], 'required field `execution` is missing');
  },
  'V-017': function* ({ attack }) {
    const severity = attack?.severity;
    if (typeof severity !== 'object' || severity.confidence === undefined) return;
    if (!(severity.confidence >= 0 && severity.confidence <= 100))
      yield createFinding(['attack', 'severity', 'confidence'], `${severity.confidence} is not from 0 to 100`);
  },
  'V-023': function* ({ attack }) {
    if (attack?.id !== undefined && !attackId.test(attack.id))
      yield createFinding(
        ['attack', 'id'],
        `${quoteValue(attack.id)} is not an attack id`,
        'capitals, digits and hyphens, ending in a hyphen and three or more digits: ACME-001',
      );
  },
  'V-035': function* ({ attack }) {
    if (attack?.version !== undefined && attack.version < 1)
      yield createFinding(['attack', 'version'], `version is ${attack.version}; versions start at 1`);
  },
  'V-045': function* ({ attack }) {
    const impact = attack?.impact ?? [];
    const repeated = impact.find((value, index) => impact.indexOf(value) !== index);
    if (repeated !== undefined) yield createFinding(['attack', 'impact'], `${repeated} occurs more than once`);
  },
  'V-046': function* ({ attack }) {
    if (attack?.gracePeriod === undefined) return;
    const duration = parseDuration(attack.gracePeriod);
    if (typeof duration !== 'number') yield createFinding(['attack', 'grace_period'], duration.message, duration.hint);
  },
  'V-047': function* ({ attack }) {
    if (attack?.correlation !== undefined && attack.indicators === undefined)
      yield createFinding(['attack', 'correlation'], '`correlation` without `indicators` has nothing to combine');
  },
  'O-008': function* ({ attack }) {
    for (const field of ['created', 'modified'] as const) {
      const value = attack?.[field];
      if (value !== undefined && !(dateOrDateTime.test(value) && isExistingDay(value)))
        yield createFinding(
          ['attack', field],
          `${quoteValue(value)} is neither a date nor a date-time with zone`,
          'write 2026-03-24, or 2026-03-24T10:30:00Z',
        );
    }
  },
} satisfies RuleTable;

/** Whether a day exists: `Date` would turn 30 February into March. */
function isExistingDay(text: string): boolean {
  const day = text.slice(0, 10);
  const date = new Date(`${day}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(day) && !Number.isNaN(Date.parse(text));
}
