/** Returns those fields of a request whose values differ from those that were read. */
export function changedFields<Body extends object>(before: Body, after: Body): Partial<Body> {
  const valueOf = (body: Body) => new Map<string, unknown>(Object.entries(body));
  const read = valueOf(before);
  return Object.fromEntries(
    Object.entries(after).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(read.get(name))),
  ) as Partial<Body>;
}
