import { type ErrorCode, errorStatus } from '#shared/domain/kernel/errors.ts';

/** Error response of one status in a route's schema. Clients and the check of responses read its codes. */
export interface DeclaredErrors {
  description: string;
  codes: readonly ErrorCode[];
  content: Record<string, { schema: { $ref: string } }>;
}

type Responses = Readonly<Record<string, unknown>>;

/** Returns error responses by status for these codes, in one content type and schema. */
export function declareErrors(
  codes: readonly ErrorCode[],
  contentType: string,
  $ref: string,
): Record<string, DeclaredErrors> {
  const grouped = Map.groupBy(new Set(codes), (code) => errorStatus[code]);
  const entries = [...grouped].map(([status, same]) => [
    status,
    { description: same.join(', '), codes: same, content: { [contentType]: { schema: { $ref } } } },
  ]);
  return Object.fromEntries(entries) as Record<string, DeclaredErrors>;
}

/** Returns the responses of a route with more errors. A status that has errors already keeps their schema. */
export function withErrors(responses: Responses, more: Record<string, DeclaredErrors>): Responses {
  const merged = Object.entries(more).map(([status, { codes, ...response }]) => {
    const before = responses[status];
    const known = declaredCodes(before);
    const all = [...new Set([...known, ...codes])];
    return [
      status,
      { ...response, ...(before as object | undefined), codes: all, description: all.join(', ') },
    ];
  });
  return { ...responses, ...(Object.fromEntries(merged) as Responses) };
}

/** Returns the error codes that a response declares; none for a success. */
export function declaredCodes(response: unknown): readonly ErrorCode[] {
  const { codes = [] } = (response ?? {}) as Partial<DeclaredErrors>;
  return codes;
}

/** Returns true when one of these responses declares errors at all. */
export function declaresErrors(responses: unknown): boolean {
  return Object.values((responses ?? {}) as Responses).some((response) => declaredCodes(response).length > 0);
}

/** Returns true when one of these responses declares a code. */
export function declaresError(responses: unknown, code: ErrorCode): boolean {
  return Object.values((responses ?? {}) as Responses).some((response) =>
    declaredCodes(response).includes(code),
  );
}
