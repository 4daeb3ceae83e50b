interface Response {
  headers?: Record<string, object>;
  content?: Record<string, { schema?: { allOf?: { $ref?: string }[] } }>;
}

interface SharedParts {
  headers: Record<string, object>;
  responses: Record<string, Response>;
}

/** Number of uses that make an error response worth a name. */
const sharedFrom = 3;

/**
 * Moves repeated parts of responses to `components` and leaves references: headers, and for each error schema and
 * status the most frequent response.
 */
export function shareResponses(operations: readonly { responses: Record<string, Response> }[]): SharedParts {
  const shared: SharedParts = { headers: {}, responses: {} };
  const uses = new Map<string, Map<string, { response: Response; count: number }>>();
  for (const { responses } of operations) {
    for (const [status, response] of Object.entries(responses)) {
      response.headers = referredHeaders(response.headers ?? {}, shared.headers);
      const name = nameOf(response, status);
      if (name === null) continue;
      const variants = uses.get(name) ?? new Map<string, { response: Response; count: number }>();
      const key = JSON.stringify(response);
      variants.set(key, { response, count: (variants.get(key)?.count ?? 0) + 1 });
      uses.set(name, variants);
    }
  }
  const common = new Map<string, string>();
  for (const [name, variants] of uses) {
    const [key, most] = [...variants].toSorted(([, a], [, b]) => b.count - a.count)[0] ?? [];
    if (key === undefined || most === undefined || most.count < sharedFrom) continue;
    shared.responses[name] = most.response;
    common.set(name, key);
  }
  for (const { responses } of operations) {
    for (const [status, response] of Object.entries(responses)) {
      const name = nameOf(response, status);
      if (name === null || common.get(name) !== JSON.stringify(response)) continue;
      responses[status] = { $ref: `#/components/responses/${name}` } as Response;
    }
  }
  return shared;
}

/** Returns the name of an error response: its schema and its status. */
function nameOf({ content = {} }: Response, status: string): string | null {
  const ref = Object.values(content)[0]?.schema?.allOf?.[0]?.$ref;
  return ref === undefined ? null : `${ref.slice(ref.lastIndexOf('/') + 1)}${status}`;
}

function referredHeaders(headers: Record<string, object>, shared: Record<string, object>) {
  const referred = Object.entries(headers).map(([name, header]) => {
    const known = (shared[name] ??= header);
    const isSame = JSON.stringify(known) === JSON.stringify(header);
    return [name, isSame ? { $ref: `#/components/headers/${name}` } : header];
  });
  return Object.fromEntries(referred) as Record<string, object>;
}
