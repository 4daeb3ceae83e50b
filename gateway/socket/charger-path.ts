/**
 * Returns the identity in the path of a charger's URL, `/ocpp/{identity}`, or null for another path. Slashes before and after the
 * identity do not count: an installer enters an address with a slash at its end, to which the charger adds another. An encoded
 * slash (`%2F`) is part of the identity.
 */
export function identityIn(path: string): string | null {
  const parts = path.split('/');
  const base = parts.findIndex((part) => part !== '');
  const first = parts.findIndex((part, index) => index > base && part !== '');
  if (parts[base] !== 'ocpp' || first === -1) return null;
  const last = parts.findLastIndex((part) => part !== '');
  return decodePath(parts.slice(first, last + 1).join('/'));
}

/** Decodes percent-encoded UTF-8. A percent sign that encodes nothing stays: some chargers send their identity as it is. */
function decodePath(text: string): string {
  return text.replaceAll(/(?:%[\da-f]{2})+/gi, (escaped) => {
    try {
      return decodeURIComponent(escaped);
    } catch {
      return escaped;
    }
  });
}
