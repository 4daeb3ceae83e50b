/** Deeper than any object of OCPI. */
const deepest = 16;

/**
 * What a partner sent, without the fields that are null: those are as good as left out (OCPI 2.2.1 §2.8, cardinalities ?
 * and *). Halves of surrogate pairs, which no text in UTF-8 has and no store takes, become U+FFFD. What is nested deeper
 * than any object of OCPI is let be.
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
