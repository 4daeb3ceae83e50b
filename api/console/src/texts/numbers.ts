/** Returns the number of a text with a point or a comma; null: it is empty; undefined: it is no number. */
export function numberOf(text: string): number | null | undefined {
  const trimmed = text.trim();
  if (trimmed === '') return null;
  const value = Number(trimmed.replace(',', '.'));
  return Number.isFinite(value) ? value : undefined;
}

/** Returns a number as a text to edit. */
export const textOf = (value: number | null): string => (value === null ? '' : String(value));
