/** Returns the parameters of an address. All are texts: a search for `00123` is no number. */
export function parseSearch(search: string): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(search));
}

/** Returns the query of an address with the parameters that have a value. */
export function stringifySearch(search: Record<string, unknown>): string {
  const given = Object.entries(search).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string',
  );
  return given.length === 0 ? '' : `?${new URLSearchParams(given)}`;
}

/** Returns the search parameters that are texts; others in the address are ignored. */
export function texts<Name extends string>(
  search: Record<string, unknown>,
  ...names: Name[]
): { [Each in Name]?: string } {
  const found = names.filter((name) => typeof search[name] === 'string');
  return Object.fromEntries(found.map((name) => [name, search[name]])) as { [Each in Name]?: string };
}

/** Returns the search parameters of the charger page: its tab and range, the log, and the chosen command and entry. */
export function chargerSearch(search: Record<string, unknown>) {
  return texts(
    search,
    ...(['tab', 'range', 'from', 'to', 'zoom', 'hidden', 'view', 'sort', 'message'] as const),
    ...(['logAction', 'logDirection', 'logShow', 'logText'] as const),
    ...(['search', 'component', 'changed', 'status', 'span', 'unit'] as const),
    ...(['command', 'auditCategory', 'entry'] as const),
  );
}
