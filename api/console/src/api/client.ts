import createClient from 'openapi-fetch';
import type { components, paths } from './schema.d.ts';

/** Schemas of the API by name. */
export type Schemas = components['schemas'];

/** Client of the public API. The session cookie authenticates it; no script holds a credential. */
const client = createClient<paths>({ baseUrl: '' });

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

interface Fetched {
  data?: unknown;
  error?: unknown;
  response: Response;
}

type Body<Response extends Fetched> = Exclude<Response['data'], undefined>;

/** Returns a method that resolves to the body of a successful response. */
function bodyOf<Args extends unknown[], Response extends Fetched>(
  call: (...args: Args) => Promise<Response>,
) {
  return async (...args: Args): Promise<Body<Response>> => {
    let fetched: Response;
    try {
      fetched = await call(...args);
    } catch (error) {
      if (error instanceof DOMException && error.name === 'AbortError') throw error;
      throw new ApiError(unreachable, 'UNREACHABLE', String(error), null);
    }
    const { data, error, response } = fetched;
    if (response.ok) return data as Body<Response>;
    throw apiError(response, error);
  };
}

/** Returns a method that resolves to the field `data` of a successful response's envelope. */
function dataOf<Args extends unknown[], Envelope>(call: (...args: Args) => Promise<Envelope>) {
  type Data = Envelope extends { data: infer Data } ? Data : never;
  return async (...args: Args): Promise<Data> => ((await call(...args)) as { data: Data }).data;
}

/**
 * Client of the public API, whose methods return the whole body of a successful response, such as a page of a list.
 * @throws {ApiError} with the code and the request id of the response, or code `UNREACHABLE` without one.
 */
export const bodies = {
  GET: bodyOf(client.GET),
  POST: bodyOf(client.POST),
  PUT: bodyOf(client.PUT),
  PATCH: bodyOf(client.PATCH),
  DELETE: bodyOf(client.DELETE),
};

/** Client of the public API, whose methods return the field `data` of the body, and otherwise work like `bodies`. */
export const api = {
  GET: dataOf(bodies.GET),
  POST: dataOf(bodies.POST),
  PUT: dataOf(bodies.PUT),
  PATCH: dataOf(bodies.PATCH),
  DELETE: dataOf(bodies.DELETE),
};

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
