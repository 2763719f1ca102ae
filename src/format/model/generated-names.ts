// The names and ids that normalization gives to what an author left unnamed (SDK spec §3.3).

/** The name of an unnamed phase (N-001). */
export function namePhase(index: number): string {
  return `phase-${index + 1}`;
}

/** The id of an indicator without one (N-003). */
export function nameIndicator(index: number, attackId: string | undefined): string {
  return `${attackId ?? 'indicator'}-${String(index + 1).padStart(2, '0')}`;
}
