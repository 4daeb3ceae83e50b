import {
  type Static,
  type TNumberOptions,
  type TProperties,
  type TSchema,
  type TSchemaOptions,
  type TStringOptions,
  Type,
} from 'typebox';

export { Nullable } from '#api/services/kernel/nullable.ts';

/** Makes the JSON object of a request body optional. */
export function OptionalBody<T extends TSchema>(schema: T) {
  return Type.Unsafe<Static<T> | null | undefined>({ ...schema, type: ['object', 'null'] });
}

/**
 * Record with a title. `/openapi.json` lists its schema under the title, and generated clients have a type of that
 * name.
 */
export function Named<Fields extends TProperties>(title: string, fields: Fields) {
  return Type.Object(fields, { title });
}

/** Object of a request without other fields. */
export function Closed<Fields extends TProperties>(fields: Fields) {
  return Type.Object(fields, { additionalProperties: false });
}

/** String out of a fixed set. */
export function OneOf<const T extends string>(values: readonly T[], description?: string) {
  return Type.Unsafe<T>({
    type: 'string',
    enum: [...values],
    ...texts(description),
  });
}

const texts = (description?: string, example?: unknown) => ({
  ...(description !== undefined && { description }),
  ...(example !== undefined && { examples: [example] }),
});

/** String that is described and has an example. */
export const Str = (description: string, example?: string, options: TStringOptions = {}) =>
  Type.String({ ...options, ...texts(description, example) });

/** Integer that is described and has an example. */
export const Integer = (description: string, example?: number, options: TNumberOptions = {}) =>
  Type.Integer({ ...options, ...texts(description, example) });

/** Number that may have decimals, with a description and an example. */
export const Decimal = (description: string, example?: number, options: TNumberOptions = {}) =>
  Type.Number({ ...options, ...texts(description, example) });

/** Boolean with a description. */
export const Flag = (description: string, example?: boolean, options: TSchemaOptions = {}) =>
  Type.Boolean({ ...options, ...texts(description, example) });

/** The same schema with a description and an example of its own, for a field of a shared form. */
export function Described<T extends TSchema>(schema: T, description: string, example?: unknown): T {
  return { ...schema, ...texts(description, example) };
}

/** CSV that a person opens. */
export const CsvFile = Type.String({
  description:
    'RFC 4180, UTF-8 with a byte order mark, with a header line. Text that a spreadsheet would run as a formula begins with ' +
    'an apostrophe.',
});

export const Uuid = (description?: string) =>
  Type.String({
    format: 'uuid',
    ...texts(description, '123e4567-e89b-42d3-a456-426614174000'),
  });

/** Path parameter with the identifier of a record. */
export function idParams<const Name extends string = 'uuid'>(record: string, name = 'uuid' as Name) {
  return Type.Object({ [name]: Uuid(`${record} identifier.`) } as Record<Name, ReturnType<typeof Uuid>>);
}

/** Integer identifier of a network, alongside its UUID. */
export const NetworkNumber = Integer(
  'Integer identifier of the network, as in `networkId` of its record.',
  1,
);

export const DateTime = (description?: string) =>
  Type.String({
    format: 'date-time',
    ...texts(description, '2026-01-31T12:00:00Z'),
  });

/** A string in a form. Errors read "must be" and `accepted`, which names the form. */
export const Formed = (accepted: string, pattern: string, options: TStringOptions = {}) =>
  Type.String({ ...options, pattern, 'x-accepts': accepted });

/** Text from outside on one line. PostgreSQL takes no NUL; logs and displays take no other control character. */
export const Text = (maxLength: number, description?: string, example?: string) =>
  Formed(`text of 1 to ${maxLength} characters without control characters`, '^[^\\u0000-\\u001f\\u007f]*$', {
    minLength: 1,
    maxLength,
    ...texts(description, example),
  });

/** Text from outside on one or several lines. */
export const Lines = (maxLength: number, description?: string, example?: string) =>
  Formed(
    `text of 1 to ${maxLength} characters, on one or several lines`,
    '^[^\\u0000-\\u0008\\u000b\\u000c\\u000e-\\u001f\\u007f]*$',
    { minLength: 1, maxLength, ...texts(description, example) },
  );

/** URL in a request. */
export const Url = (maxLength = 500, description?: string, example?: string) =>
  Formed('a URL with http or https', '^https?://[^\\s\\u0000-\\u001f\\u007f]+$', {
    maxLength,
    ...texts(description, example),
  });

/** EVSE identifier in the form of eMI3. */
export const EvseId = Formed(
  'an EVSE id of eMI3, such as BE*BEC*E041503001',
  '^[A-Za-z]{2}\\*?[A-Za-z0-9]{3}\\*?[Ee][A-Za-z0-9*]{1,40}$',
  { maxLength: 48, description: 'EVSE identifier (eMI3).', examples: ['NL*HRB*E0123456789ABCDEF'] },
);

/** Connector number in a request. */
export const ConnectorNumber = Integer('Connector number at the charger, starting at 1.', 1, {
  minimum: 1,
  maximum: 1000,
});

const defaultPageSize = 50;

/** Sentence about cached totals, for the descriptions of lists. */
export const largeTotals = 'A total above 10,000 may be ten seconds old.';

/** Query parameter of the size of a page. */
export const pageSizeUpTo = (
  maximum: number,
  usual = defaultPageSize,
  description = 'Maximum number of entries per page.',
) => Type.Optional(Integer(description, 50, { minimum: 1, maximum, default: usual }));

/** Query parameter of the length of a list without pages. 0 is valid: the response states the totals only. */
export const limitUpTo = (maximum: number, usual: number, what: string) =>
  Type.Optional(
    Integer(`Maximum number of ${what}. 0 returns none.`, 10, { minimum: 0, maximum, default: usual }),
  );

/** Query of a paged list. */
export const pageQuery = {
  page: Type.Optional(
    Integer('Page number, starting at 1.', 1, { minimum: 1, maximum: 2_147_483_647, default: 1 }),
  ),
  pageSize: pageSizeUpTo(100),
};

/** Query of a list with a cursor: entries added meanwhile move no page. */
export const cursorQuery = {
  cursor: Type.Optional(
    Type.String({
      maxLength: 100,
      description: 'Cursor of the page: the `nextCursor` of an earlier response.',
    }),
  ),
  pageSize: pageQuery.pageSize,
};

/** Returns the slice that a query requests. */
export function cursorOf({ cursor, pageSize = defaultPageSize }: { cursor?: string; pageSize?: number }) {
  return { cursor, limit: pageSize };
}

/** Returns the page that a query requests. */
export function pageOf({ page = 1, pageSize = defaultPageSize }: { page?: number; pageSize?: number }) {
  return { page, pageSize };
}

/** Returns the times of a query, both inclusive. */
export function periodOf({ from, to }: { from?: string; to?: string }) {
  return {
    from: from === undefined ? undefined : new Date(from),
    to: to === undefined ? undefined : new Date(to),
  };
}

export const Pagination = Named('Pagination', {
  page: Integer('Page number, starting at 1.', 1),
  pageSize: Integer('Maximum number of entries per page.', 50),
  total: Integer('Number of entries on all pages.', 1),
  totalPages: Integer('Number of pages. 0 without entries.', 1),
});

/** Returns the position of a page in its list. */
export function paginationOf(
  page: { page: number; pageSize: number },
  total: number,
): Static<typeof Pagination> {
  return { ...page, total, totalPages: Math.ceil(total / page.pageSize) };
}

/** Formats a date as ISO 8601, or returns null. */
export function isoOrNull(date: Date | null): string | null {
  return date === null ? null : date.toISOString();
}

/** Converts W to kW and Wh to kWh, without the noise of binary fractions. */
export function kilo(value: number): number;
export function kilo(value: number | null): number | null;
export function kilo(value: number | null): number | null {
  return value === null ? null : Math.round(value * 1000) / 1_000_000;
}
