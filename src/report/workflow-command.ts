import { visible } from './visible.ts';

export interface CommandProperties {
  readonly [name: string]: string | number | undefined;
}

/** A workflow command. GitHub shows it as an annotation on the line that it names. */
export function workflowCommand(
  kind: 'error' | 'warning' | 'notice',
  properties: CommandProperties,
  message: string,
): string {
  const list = Object.entries(properties).flatMap(([name, value]) =>
    value === undefined ? [] : `${name}=${escapeProperty(String(value))}`,
  );
  return `::${kind} ${list.join(',')}::${escapeData(message)}\n`;
}

function escapeData(text: string): string {
  return visible(text, '\r\n').replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
