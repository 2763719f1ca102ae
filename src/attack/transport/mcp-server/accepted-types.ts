/** The forms of answers that a client's `Accept` allows. */
export interface AcceptedTypes {
  readonly json: boolean;
  readonly events: boolean;
}

const everything: AcceptedTypes = { json: true, events: true };

export function readAcceptedTypes(accept: string | undefined): AcceptedTypes {
  // The value that the official clients send.
  if (accept === undefined || accept === 'application/json, text/event-stream') return everything;
  const ranges = accept
    .toLowerCase()
    .split(',')
    .filter((range) => !/;\s*q=0(?:\.0*)?\s*(?:;|$)/.test(range))
    .map((range) => readAcceptedMediaType(range));
  const allows = (...types: readonly string[]) => ranges.some((range) => types.includes(range));
  return {
    json: allows('application/json', 'application/*', '*/*'),
    events: allows('text/event-stream', 'text/*', '*/*'),
  };
}

/** Tells whether a client names event streams, instead of accepting anything. */
export function isAskingForEvents(accept: string | undefined): boolean {
  return (accept ?? '')
    .toLowerCase()
    .split(',')
    .some((range) => readAcceptedMediaType(range) === 'text/event-stream');
}

export function isJsonContentType(contentType: string | undefined): boolean {
  return contentType === 'application/json' || readAcceptedMediaType(contentType ?? '') === 'application/json';
}

function readAcceptedMediaType(value: string): string {
  return (value.split(';', 1)[0] ?? '').trim().toLowerCase();
}
