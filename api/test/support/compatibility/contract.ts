/** An OpenAPI document without texts and error responses, as the baseline keeps it. */
export interface Contract {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
  webhooks: Record<string, Record<string, Operation>>;
  /** Codes of all errors, in alphabetical order. */
  errorCodes: string[];
}

export interface Operation {
  parameters?: { in: string; name: string; required?: boolean; schema: Schema }[];
  requestBody?: { required?: boolean; content: Content };
  responses: Record<string, { content?: Content }>;
  'x-scope'?: string | null;
}

export type Content = Record<string, { schema?: Schema }>;

export interface Schema {
  $ref?: string;
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  format?: string;
  pattern?: string;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean | Schema;
  items?: Schema;
  anyOf?: Schema[];
  [limit: string]: unknown;
}

/** Texts, and headers of responses. */
const leftOut = new Set(['description', 'summary', 'examples', 'example', 'headers']);

/** Returns a part of a document without texts. Names of fields are kept, whatever they are. */
export function withoutTexts(value: unknown, isNames = false): unknown {
  if (Array.isArray(value)) return value.map((item) => withoutTexts(item));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => isNames || !leftOut.has(key))
      .map(([key, item]) => [key, withoutTexts(item, key === 'properties')]),
  );
}

/** Returns the contract of a document as it is served. */
export function contractOf(document: object): Contract {
  const { paths, components, webhooks } = withoutTexts(document) as Contract;
  const errorCodes = [...new Set(codesIn(document))].toSorted();
  for (const operation of Object.values(paths).flatMap((path) => Object.values(path))) {
    operation.responses = Object.fromEntries(
      Object.entries(operation.responses).filter(([status]) => status < '400'),
    );
  }
  return { paths, components: { schemas: components.schemas }, webhooks, errorCodes };
}

/** Returns the values that the schemas of errors list for `code`. */
function codesIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  const { code } = value as { code?: { enum?: string[] } };
  return [...(code?.enum ?? []), ...Object.values(value).flatMap(codesIn)];
}
