/**
 * Returns the value of an option of the command line, `value` without it.
 * @throws {Error} when it is no whole number from 1.
 */
export function wholeNumber(name: string, given: string | undefined, value: number): number {
  const number = given === undefined ? value : Number(given);
  if (!Number.isInteger(number) || number < 1) throw new Error(`--${name} takes a whole number from 1`);
  return number;
}
