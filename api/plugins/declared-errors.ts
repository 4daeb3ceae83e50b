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

/** Returns the responses of a route with more error codes, in the schema of its other errors. A route without errors keeps its responses. */
export function withErrors(responses: Responses, more: readonly ErrorCode[]): Responses {
  const own = Object.entries(responses).find(
    ([status, response]) => Number(status) >= 400 && declaredCodes(response).length > 0,
  )?.[1] as DeclaredErrors | undefined;
  const [media] = Object.entries(own?.content ?? {});
  if (media === undefined) return responses;
  const [contentType, { schema }] = media;
  const merged = Object.entries(declareErrors(more, contentType, schema.$ref)).map(
    ([status, { codes, ...response }]) => {
      const before = responses[status];
      const all = [...new Set([...declaredCodes(before), ...codes])];
      return [
        status,
        { ...response, ...(before as object | undefined), codes: all, description: all.join(', ') },
      ];
    },
  );
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
