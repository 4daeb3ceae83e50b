/** Returns an entered text as requests have it: null for an empty one. */
export const textOrNull = (text: string): string | null => (text.trim() === '' ? null : text.trim());
