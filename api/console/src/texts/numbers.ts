/** Returns the number of a text with a point or a comma; null: it is empty; undefined: it is no number. */
export function numberOf(text: string): number | null | undefined {
  const trimmed = text.trim();
  if (trimmed === '') return null;
  const value = Number(trimmed.replace(',', '.'));
  return Number.isFinite(value) ? value : undefined;
}

/** Returns a number as a text to edit. */
export const textOf = (value: number | null): string => (value === null ? '' : String(value));

/** Returns the number of an input. An invalid number is sent as null, and the server refuses the field. */
export const requiredNumber = (text: string): number => numberOf(text) ?? Number.NaN;

/** Returns a field of a request with the number of an input; no field for an empty input. */
export const optionalNumber = <Name extends string>(name: Name, text: string) =>
  (text.trim() === '' ? {} : { [name]: requiredNumber(text) }) as { [Each in Name]?: number };
