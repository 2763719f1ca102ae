/** Where a phase says which of its values are made while they are sent: an extension of ours (docs/generated.md). */
export const generateKey = 'x-generate';
