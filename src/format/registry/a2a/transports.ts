/** The transports of A2A, by the names that cards use. */
export const a2aTransports = ['JSONRPC', 'HTTP+JSON', 'GRPC'] as const;

export type A2aTransport = (typeof a2aTransports)[number];
