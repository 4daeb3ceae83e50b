/** The pattern (for `like` and `ilike`) of what contains a text, in which the operator's own signs stand for themselves. */
export function containing(text: string): string {
  return `%${text.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
}
