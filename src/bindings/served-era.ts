/** The eras of its protocol that a server speaks; `both` leaves the choice to the peer, request by request. */
export type ServedEra = 'legacy' | 'modern' | 'both';
