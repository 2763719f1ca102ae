// The keys of our extensions (docs/extensions). Every module may name them; `format/extensions` reads and checks their values.

/** The key of `attack` that holds the marks: the values that are the attack. */
export const payloadKey = 'x-payload';

/** The key of `attack` that holds the checks of the user's task. */
export const taskKey = 'x-task';

/** The key of `attack` that holds the checks of whether the agent told its user of the attack. */
export const disclosureKey = 'x-disclosure';

/** The key of `attack` that holds the user's task, step by step. */
export const planKey = 'x-plan';

/** The key of `attack` that lists the values which must not leave. */
export const canariesKey = 'x-canaries';

/** The key of an indicator that names the canary it looks for. */
export const canaryKey = 'x-canary';

/** The key of an indicator that makes its pattern match behind disguises too. */
export const decodeKey = 'x-decode';

/** The key by which a phase says what it waits for. */
export const awaitKey = 'x-await';

/** The key by which a phase marks values that are generated while they are sent. */
export const generateKey = 'x-generate';

/** The key by which a phase says how its messages are sent. */
export const wireKey = 'x-wire';
