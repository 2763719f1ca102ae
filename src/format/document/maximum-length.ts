/** The maximum length of a document in UTF-16 code units. It is checked before parsing, to bound the cost. */
export const maximumLength = 2 * 1024 * 1024;
