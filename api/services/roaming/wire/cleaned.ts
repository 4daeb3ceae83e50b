/** Deeper than any object of OCPI. */
const deepest = 16;

/**
 * Returns a partner's body without the fields that are null: they count as left out (OCPI 2.2.1 §2.8,
 * cardinalities ? and *). Halves of surrogate pairs, which UTF-8 does not contain and no store accepts,
 * become U+FFFD. Anything nested deeper than any object of OCPI stays as it is.
 */
export function cleaned(sent: unknown, depth = 0): unknown {
  if (typeof sent === 'string') return sent.toWellFormed();
  if (typeof sent !== 'object' || sent === null || depth === deepest) return sent;
  if (Array.isArray(sent)) return sent.map((item) => cleaned(item, depth + 1));
  return Object.fromEntries(
    Object.entries(sent).flatMap(([name, value]) =>
      value === null ? [] : [[name, cleaned(value, depth + 1)]],
    ),
  );
}

/** Lists whose objects a PATCH changes one by one. It replaces all other lists and objects as a whole. */
const changedLists = new Set(['evses', 'connectors']);

/** Depth of the connectors of the EVSEs of a location. */
const deepestChanged = 2;

/** Returns the body of a PATCH, cleaned, with the null of each field that the partner changes: it removes the value. */
export function cleanedPatch(sent: unknown, depth = 0): unknown {
  if (typeof sent !== 'object' || sent === null || Array.isArray(sent) || depth > deepestChanged) {
    return cleaned(sent);
  }
  const changed = (name: string, value: unknown) => {
    if (value === null) return null;
    if (!changedLists.has(name) || !Array.isArray(value)) return cleaned(value);
    return value.map((item) => cleanedPatch(item, depth + 1));
  };
  return Object.fromEntries(Object.entries(sent).map(([name, value]) => [name, changed(name, value)]));
}
