import { type Static, type TSchema, Type } from 'typebox';
import type { FastifyReply } from 'fastify';
import { declareErrors } from '#api/plugins/declared-errors.ts';
import { ocpiErrorRef } from '#api/plugins/openapi/error-schemas.ts';
import { DateTime, Integer, Str } from '#api/routes/schema.ts';
import { OcpiDateTime, ocpiTime } from '#api/services/roaming/wire/date-time.ts';
import type { ErrorCode } from '#shared/domain/kernel/errors.ts';
import { ocpiStatus } from '#shared/domain/roaming/ocpi.ts';

const frame = {
  status_code: Integer('OCPI status. 1000: success. 2xxx: error of the request. 3xxx: error of the server.'),
  status_message: Type.Optional(Str('Outcome in words.')),
  timestamp: DateTime('Time of the response.'),
};

/** Success of OCPI with data: `{data, status_code, timestamp}` (OCPI 2.2.1 §4.1.7). */
export function OcpiEnvelope<T extends TSchema>(data: T, description: string) {
  return Type.Object({ data, ...frame }, { description });
}

const sliceHeaders = {
  Link: { type: 'string', description: 'URL of the next slice, with rel="next". Absent on the last one.' },
  'X-Total-Count': { type: 'integer', description: 'Objects that the filters match.' },
  'X-Limit': { type: 'integer', description: 'Maximum number of objects in a slice.' },
};

/** Slice of a list (OCPI 2.2.1 §4.1.4.2). */
export function OcpiListEnvelope<T extends TSchema>(item: T, description: string) {
  return Type.Object({ data: Type.Array(item), ...frame }, { description, headers: sliceHeaders });
}

/** Success without data, for writes and deletions. */
export const OcpiDone = Type.Object(frame, { title: 'OcpiDone', description: 'Success without data.' });

/** List with its totals in the envelope, for sessions of the documented 2.2 surface. */
export function OcpiCountedEnvelope<T extends TSchema>(item: T, description: string) {
  const totals = {
    totalCount: Integer('Number of objects that the filters match.'),
    offset: Integer('Number of skipped objects.'),
    limit: Integer('Maximum number of objects in the slice.'),
  };
  return Type.Object({ data: Type.Array(item), ...totals, ...frame }, { description, headers: sliceHeaders });
}

/** Wraps data in its envelope. */
export function ocpiSuccess<T>(data: T) {
  return { data, ...ocpiDone() };
}

/** Wraps serialized data in its envelope. */
export function ocpiSuccessJson(json: string): string {
  return `{"data":${json},${JSON.stringify(ocpiDone()).slice(1)}`;
}

/** Returns the envelope of a success without data. */
export function ocpiDone() {
  return { status_code: ocpiStatus.success, status_message: 'Success', timestamp: new Date().toISOString() };
}

/** Maximum and default number of objects per slice. */
const maxPerPage = 500;
const usualPerPage = 50;

/** Query of a list (OCPI 2.2.1 §4.1.4). */
export const ocpiListQuery = {
  offset: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 2_147_483_647,
      default: 0,
      description: 'Number of objects to skip.',
    }),
  ),
  limit: Type.Optional(
    Type.Integer({
      minimum: 0,
      default: usualPerPage,
      description: `Maximum number of objects. Values above ${maxPerPage} count as ${maxPerPage}; 0 returns the total only.`,
    }),
  ),
  date_from: Type.Optional(OcpiDateTime('what was last updated then or later')),
  date_to: Type.Optional(OcpiDateTime('what was last updated before')),
};

/** Requested slice of a list. The times filter by `last_updated`, from inclusive, to exclusive. */
interface OcpiSlice {
  offset: number;
  limit: number;
  from: Date | null;
  to: Date | null;
}

type ListQuery = Partial<Static<ReturnType<typeof Type.Object<typeof ocpiListQuery>>>>;

/** Returns the slice that a query requests. */
export function sliceOf({
  offset = 0,
  limit = usualPerPage,
  date_from: from,
  date_to: to,
}: ListQuery): OcpiSlice {
  return {
    offset,
    limit: Math.min(limit, maxPerPage),
    from: from === undefined ? null : ocpiTime('date_from', from),
    to: to === undefined ? null : ocpiTime('date_to', to),
  };
}

/**
 * Sets the headers of a slice: the total, the limit, and the link to the next slice if there is one (OCPI 2.2.1
 * §4.1.4.2). An empty slice by request has no next one: the link would lead to the same slice.
 * @param url URL of the list, without its query.
 */
export function setSliceHeaders(
  reply: FastifyReply,
  url: string,
  query: Record<string, string | number | undefined>,
  { offset, limit }: OcpiSlice,
  total: number,
): void {
  reply.header('x-total-count', total).header('x-limit', limit);
  if (limit === 0 || offset + limit >= total) return;
  const given = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)]],
  );
  const next = new URLSearchParams({
    ...Object.fromEntries(given),
    offset: String(offset + limit),
    limit: String(limit),
  });
  reply.header('link', `<${url}?${next.toString()}>; rel="next"`);
}

const common = [
  'VALIDATION_FAILED',
  'OCPI_TOKEN_MISSING',
  'OCPI_TOKEN_INVALID',
  'OCPI_NOT_REGISTERED_YET',
  'OCPI_PARTNER_SUSPENDED',
  'RATE_LIMITED',
  'INTERNAL_ERROR',
  'STORE_UNAVAILABLE',
  'OVERLOADED',
] as const satisfies ErrorCode[];

/** Returns the error responses of an OCPI route by HTTP status: the common ones and the named ones. */
export function ocpiErrors(...own: ErrorCode[]): object {
  return declareErrors([...common, ...own], 'application/json', ocpiErrorRef);
}
