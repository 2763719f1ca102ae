import { isAbsolute } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Location, Log, Notification, Region, ReportingDescriptor, Result, Run } from 'sarif';
import type { SourceRange } from '../format/model/errors.ts';
import { dropUndefined } from '../format/model/value.ts';

/** What a SARIF log says of one run of this tool. */
export interface SarifContents {
  readonly tool: { readonly name: string; readonly version: string };
  readonly rules: readonly ReportingDescriptor[];
  readonly results: readonly Result[];
  readonly notifications: readonly Notification[];
  readonly isSuccessful: boolean;
  readonly times?: { readonly startTimeUtc: string; readonly endTimeUtc: string };
  readonly originalUriBaseIds?: Run['originalUriBaseIds'];
  readonly properties?: Run['properties'] | undefined;
}

/** A log of SARIF 2.1.0 with one run. */
export function formatSarifLog(contents: SarifContents): string {
  const { tool, rules, results, notifications, isSuccessful, times, originalUriBaseIds, properties } = contents;
  const { name, version } = tool;
  const run: Run = dropUndefined({
    tool: { driver: { name, version, semanticVersion: version, rules: [...rules] } },
    columnKind: 'utf16CodeUnits' as const,
    originalUriBaseIds,
    invocations: [{ executionSuccessful: isSuccessful, ...times, toolExecutionNotifications: [...notifications] }],
    results: [...results],
    properties,
  });
  const log: Log = {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [run],
  };
  return `${JSON.stringify(log, null, 2)}\n`;
}

export function toSarifLocation(file: string, region?: Region): Location {
  return {
    physicalLocation: {
      artifactLocation: { uri: toArtifactUri(file) },
      ...(region !== undefined && { region }),
    },
  };
}

export function toSarifRegion({ start, end }: SourceRange): Region {
  return {
    startLine: start.line,
    startColumn: start.column,
    endLine: end.line,
    endColumn: end.column,
  };
}

/** A file as SARIF names it: relative to the working directory, or as an absolute URI. */
export function toArtifactUri(file: string): string {
  if (isAbsolute(file)) return pathToFileURL(file).href;
  // An unpaired surrogate cannot be encoded in a URI.
  const name = file.replace(/\p{Cs}/gu, '\ufffd');
  return name.split(/[/\\]/).map(encodeURIComponent).join('/');
}
