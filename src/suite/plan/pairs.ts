import type { PlannedAttack, SuitePlan } from './plan.ts';

// An attack and its benign twin on the same agent are a pair.

/** A key that an attack and its benign twin on the same agent share. */
export function createPairKey({ document, agent }: Pick<PlannedAttack, 'document' | 'agent'>): string {
  return JSON.stringify([document.twin_of ?? document.key, agent.name]);
}

/** The attacks in their order, each benign twin right after the attack that it belongs to. */
export function placeTwinsBesideAttacks(attacks: readonly PlannedAttack[]): readonly PlannedAttack[] {
  const pairs = new Map<string, PlannedAttack[]>();
  for (const attack of attacks) {
    const key = createPairKey(attack);
    const own = pairs.get(key);
    if (own === undefined) pairs.set(key, [attack]);
    else own.push(attack);
  }
  return [...pairs.values()].flat();
}

/** The stored source of each document's benign twin, by the stored source of the document. */
export function indexTwinSources({ documents }: Pick<SuitePlan, 'documents'>): ReadonlyMap<string, string> {
  const sourceOf = new Map(
    documents.flatMap(({ key, twin_of, entry }) => (twin_of === undefined ? [[key, entry.source]] : [])),
  );
  return new Map(
    documents.flatMap(({ twin_of, entry }) => {
      const source = twin_of === undefined ? undefined : sourceOf.get(twin_of);
      return source === undefined ? [] : [[source, entry.source]];
    }),
  );
}
