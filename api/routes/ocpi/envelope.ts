import { type Static, type TSchema, Type } from 'typebox';
import type { FastifyReply } from 'fastify';
import { declareErrors } from '#api/plugins/declared-errors.ts';
import { ocpiErrorRef } from '#api/plugins/openapi/error-schemas.ts';
import { DateTime } from '#api/routes/schema.ts';
import { OcpiDateTime, ocpiTime } from '#api/services/roaming/wire/date-time.ts';
import type { ErrorCode } from '#shared/domain/kernel/errors.ts';
import { ocpiStatus } from '#shared/domain/roaming/ocpi.ts';

const frame = {
  status_code: Type.Integer({ description: '1000: success; 2xxx: your fault; 3xxx: ours' }),
  status_message: Type.Optional(Type.String()),
  timestamp: DateTime(),
};

/** Every success of OCPI with data: `{data, status_code, timestamp}` (OCPI 2.2.1 §4.1.7). */
export function OcpiEnvelope<T extends TSchema>(data: T, description: string) {
  return Type.Object({ data, ...frame }, { description });
}

const sliceHeaders = {
  Link: { type: 'string', description: 'URL of the next slice, with rel="next". Absent on the last one.' },
  'X-Total-Count': { type: 'integer', description: 'Objects that the filters match.' },
  'X-Limit': { type: 'integer', description: 'Maximum number of objects in a slice.' },
};

/** A slice of a list (OCPI 2.2.1 §4.1.4.2). */
export function OcpiListEnvelope<T extends TSchema>(item: T, description: string) {
  return Type.Object({ data: Type.Array(item), ...frame }, { description, headers: sliceHeaders });
}

/** A success without data: of writes and deletions. */
export const OcpiDone = Type.Object(frame, { title: 'OcpiDone', description: 'Done' });

/** A list with its totals in the envelope, as the documented 2.2 surface has it of sessions. */
export function OcpiCountedEnvelope<T extends TSchema>(item: T, description: string) {
  const totals = { totalCount: Type.Integer(), offset: Type.Integer(), limit: Type.Integer() };
  return Type.Object({ data: Type.Array(item), ...totals, ...frame }, { description, headers: sliceHeaders });
}

/** Puts data into its envelope. */
export function ocpiSuccess<T>(data: T) {
  return { data, ...ocpiDone() };
}

/** The envelope of a success without data. */
export function ocpiDone() {
  return { status_code: ocpiStatus.success, status_message: 'Success', timestamp: new Date().toISOString() };
}

/** The most objects of one page, and how many there are without a limit. */
const maxPerPage = 500;
const usualPerPage = 50;

/** The query of every list (OCPI 2.2.1 §4.1.4). */
export const ocpiListQuery = {
  offset: Type.Optional(
    Type.Integer({ minimum: 0, maximum: 2_147_483_647, default: 0, description: 'Objects to skip' }),
  ),
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      default: usualPerPage,
      description: `At most ${maxPerPage} are answered, whatever is asked`,
    }),
  ),
  date_from: Type.Optional(OcpiDateTime('what was last updated then or later')),
  date_to: Type.Optional(OcpiDateTime('what was last updated before')),
};

/** Which slice of a list is asked for; times by `last_updated`, from inclusive, to exclusive. */
export interface OcpiSlice {
  offset: number;
  limit: number;
  from: Date | null;
  to: Date | null;
}

type ListQuery = Partial<Static<ReturnType<typeof Type.Object<typeof ocpiListQuery>>>>;

/** The slice that a query asks for. */
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
 * Says in the headers where a slice stands: the total, the limit, and the link to the next one where there is one
 * (OCPI 2.2.1 §4.1.4.2).
 * @param url of the list, without its query.
 */
export function tellSlice(
  reply: FastifyReply,
  url: string,
  query: Record<string, string | number | undefined>,
  { offset, limit }: OcpiSlice,
  total: number,
): void {
  reply.header('x-total-count', total).header('x-limit', limit);
  if (offset + limit >= total) return;
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
] as const satisfies ErrorCode[];

/** The error responses of an OCPI route, by HTTP status: those of every route and the ones named. */
export function ocpiErrors(...own: ErrorCode[]): object {
  return declareErrors([...common, ...own], 'application/json', ocpiErrorRef);
}
