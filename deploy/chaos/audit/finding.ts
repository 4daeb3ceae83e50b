/** Comparison of one kind of records with what was acknowledged. */
export interface Finding {
  /** Number of records that were compared. */
  count: number;
  /** Names of records that are missing, or differ from what was acknowledged. */
  lost: string[];
  /** Names of records that exist more than once. Null: these cannot, or their comparison with another kind finds it. */
  doubled: string[] | null;
}

/** Returns the names that occur more than once, each once. */
export function repeated(names: readonly string[]): string[] {
  const seen = new Set<string>();
  return [...new Set(names.filter((name) => seen.size === seen.add(name).size))];
}
