import type { Json, TestApi } from './fixtures.ts';

/** The document as it is served. */
export async function readDocument(api: Pick<TestApi, 'call'>): Promise<Json> {
  return (await api.call(null, { url: '/openapi.json' })).json;
}

/** The same document with what each reference names in its place. */
export async function readWholeDocument(api: Pick<TestApi, 'call'>): Promise<Json> {
  const document = await readDocument(api);
  return { ...document, paths: withoutReferences(document, document['paths']) as Json };
}

function withoutReferences(document: Json, part: unknown): unknown {
  if (Array.isArray(part)) return part.map((item) => withoutReferences(document, item));
  if (typeof part !== 'object' || part === null) return part;
  const { $ref, ...extras } = part as { $ref?: string };
  if (typeof $ref === 'string') {
    const named = $ref
      .split('/')
      .slice(1)
      .reduce<Json | undefined>((found, name) => found?.[name], document);
    return { ...(withoutReferences(document, named) as object), ...extras };
  }
  return Object.fromEntries(
    Object.entries(part).map(([name, value]) => [name, withoutReferences(document, value)]),
  );
}

/** The operations of a document with their paths. */
export function operationsOf(document: Json): { path: string; operation: Json }[] {
  return Object.entries(document['paths'] ?? {}).flatMap(([path, methods]) =>
    Object.values(methods).map((operation) => ({ path, operation })),
  );
}
