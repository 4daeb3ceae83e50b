import { type Static, type TObject, type TProperties, type TSchema, Type } from 'typebox';
import type { PublicEventType } from '#shared/domain/events/event-types.ts';

/** Entry of the catalogue of events. */
export interface CatalogueEntry {
  /** Sentence that says when the event is written. */
  writtenWhen: string;
  /** Sentence that says which record the subject is. */
  subject: string;
  /** JSON Schema of `data`. */
  data: TObject;
}

/** Entries of one file of the catalogue. */
export type Entries = Partial<Record<PublicEventType, CatalogueEntry>>;

/** Returns an entry whose data has the ids that each event has and these fields. */
export function entry(subject: string, writtenWhen: string, fields: TProperties = {}): CatalogueEntry {
  const data = Type.Object({ ...ids, ...fields }, { additionalProperties: false });
  return { writtenWhen, subject, data };
}

/** Makes a field nullable. */
export function nullable<T extends TSchema>(schema: T) {
  const { type, enum: values, ...rest } = schema as T & { type: string; enum?: unknown[] };
  const listed = values === undefined ? {} : { enum: [...values, null] };
  return Type.Unsafe<Static<T> | null>({ ...rest, ...listed, type: [type, 'null'] });
}

export const uuid = (description: string) =>
  Type.String({ format: 'uuid', description, examples: ['123e4567-e89b-42d3-a456-426614174000'] });

export const time = (description: string) =>
  Type.String({ format: 'date-time', description, examples: ['2026-01-31T12:00:00+00:00'] });

export const text = (description: string, example: string) =>
  Type.String({ description, examples: [example] });

export const oneOf = (values: readonly string[], description: string) =>
  Type.Unsafe<string>({ type: 'string', enum: [...values], description, examples: [values[0]] });

export const flag = (description: string) => Type.Boolean({ description, examples: [false] });

export const integer = (description: string, example: number) =>
  Type.Integer({ description, examples: [example] });

export const number = (description: string, example: number) =>
  Type.Number({ description, examples: [example] });

export const minor = (description: string) =>
  integer(`${description}, in minor units of \`currency\`.`, 1210);

export const currency = text('Currency (ISO 4217).', 'EUR');

export const version = integer('Version of the record, which rises with each change.', 2);

const ids = {
  chargerId: nullable(uuid('Charger that the event concerns. Null without one.')),
  chargerUid: nullable(text('OCPP identity of the charger. Null without one.', 'QUAY-1')),
  locationId: nullable(
    uuid('Location of the charger at the time of reading, or of the subject. Null without one.'),
  ),
  sessionId: nullable(uuid('Session that the event concerns. Null without one.')),
};
