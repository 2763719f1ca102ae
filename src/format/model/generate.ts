/** The key by which a phase marks values that are generated while they are sent. It is our extension (docs/extensions/generate.md). */
export const generateKey = 'x-generate';
