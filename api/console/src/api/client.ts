import createClient from 'openapi-fetch';
import type { components, paths } from './schema.d.ts';

/** Schemas of the API by name. */
export type Schemas = components['schemas'];

/** Client of the public API. The session cookie authenticates it; no script holds a credential. */
export const api = createClient<paths>({ baseUrl: '' });

/** Error of a field. Parts of the field's path are separated by dots. */
export interface FieldError {
  field: string;
  message: string;
}

/** Error response of the API. `code` is stable; `message` is for people. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  readonly requestId: string | null;
  /** Errors of fields of the request; empty for other errors. */
  readonly fields: readonly FieldError[];
  /** Other details of the error, by its code. */
  readonly details: Readonly<Record<string, unknown>>;

  constructor(
    status: number,
    code: string,
    message: string,
    requestId: string | null,
    { errors = [], ...details }: { errors?: readonly FieldError[] } & Record<string, unknown> = {},
  ) {
    super(message);
    this.name = 'ApiError';
    this.status = status;
    this.code = code;
    this.requestId = requestId;
    this.fields = errors;
    this.details = details;
  }
}

/** Status of a request that got no response. */
export const unreachable = 0;

interface Fetched<Body> {
  data?: Body | undefined;
  error?: unknown;
  response: Response;
}

/**
 * Returns the body of a successful response.
 * @throws {ApiError} with the code and the request id of the response, or code `UNREACHABLE` without one.
 */
export async function body<Body>(call: Promise<Fetched<Body>>): Promise<Body> {
  let fetched: Fetched<Body>;
  try {
    fetched = await call;
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error;
    throw new ApiError(unreachable, 'UNREACHABLE', String(error), null);
  }
  const { data, error, response } = fetched;
  if (response.ok) return data as Body;
  throw apiError(response, error);
}

/** Returns the field `data` of a successful response's envelope. */
export async function dataOf<Data>(call: Promise<Fetched<{ data: Data }>>): Promise<Data> {
  return (await body(call)).data;
}

function apiError(response: Response, error: unknown): ApiError {
  const { code, message, details } =
    (
      error as
        | {
            error?: {
              code?: string;
              message?: string;
              details?: { errors?: FieldError[]; [name: string]: unknown };
            };
          }
        | undefined
    )?.error ?? {};
  return new ApiError(
    response.status,
    code ?? 'UNKNOWN',
    message ?? response.statusText,
    response.headers.get('x-request-id'),
    details,
  );
}
