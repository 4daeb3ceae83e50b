/**
 * Splits rows so that each round holds a charger once, in their order: where what a row changes depends on what the
 * one before it left, a statement may see one of each charger only.
 */
export function rounds<Row extends { chargerId: number }>(rows: readonly Row[]): Row[][] {
  const result: Row[][] = [];
  const seen = new Map<number, number>();
  for (const row of rows) {
    const round = seen.get(row.chargerId) ?? 0;
    (result[round] ??= []).push(row);
    seen.set(row.chargerId, round + 1);
  }
  return result;
}
