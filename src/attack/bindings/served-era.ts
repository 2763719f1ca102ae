/** The protocol eras that a server speaks. With `both`, the peer chooses for each request. */
export type ServedEra = 'legacy' | 'modern' | 'both';
