/** What A2A is carried by, under the names that cards have for it. */
export const a2aTransports = ['JSONRPC', 'HTTP+JSON', 'GRPC'] as const;

export type A2aTransport = (typeof a2aTransports)[number];
