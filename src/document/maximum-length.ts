/** Of a document, in UTF-16 units: a bound on what it may cost, checked before the parser pays for it. */
export const maximumLength = 2 * 1024 * 1024;
