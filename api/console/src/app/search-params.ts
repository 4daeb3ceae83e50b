/** Returns the search parameters that are texts; others in the address are ignored. */
export function texts<Name extends string>(
  search: Record<string, unknown>,
  ...names: Name[]
): { [Each in Name]?: string } {
  const found = names.filter((name) => typeof search[name] === 'string');
  return Object.fromEntries(found.map((name) => [name, search[name]])) as { [Each in Name]?: string };
}
