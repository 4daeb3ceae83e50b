import { Type } from 'typebox';
import type { UserRecord, UserStatistics } from '#api/services/people/users.ts';
import { internetEmailPattern } from '#shared/domain/people/email.ts';
import { DateTime, isoOrNull, kilo, Nullable, Text } from './schema.ts';

/** What may be told of a driver, in requests and answers of both families. */
export const userFields = {
  email: Type.String({
    maxLength: 254,
    pattern: internetEmailPattern,
    description: 'an e-mail address; unique within the network, without regard to case',
  }),
  name: Type.Unsafe<string>({ ...Text(100), examples: ['Ada'] }),
  phone: Nullable(Text(32)),
  language: Nullable(
    Type.String({
      maxLength: 35,
      pattern: '^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$',
      description:
        "a language tag (BCP 47), begun in small letters, such as nl or de-AT: of e-mails and receipts; null: the network's",
    }),
  ),
  externalId: Nullable(Text(100)),
};

const { properties: optionalUserFields } = Type.Partial(Type.Object(userFields));

/** The fields of a new driver: e-mail and name must be there. */
export const newUserFields = { ...optionalUserFields, email: userFields.email, name: userFields.name };

/** The body of a change: only what is provided is updated. */
export const UserChange = Type.Object(optionalUserFields, { additionalProperties: false, minProperties: 1 });

/** A part of what names a driver. */
export const userSearch = Type.Optional(Text(100));

export const Statistics = Type.Object(
  {
    sessionCount: Type.Integer(),
    activeSessionCount: Type.Integer({ description: 'Of them: running now' }),
    energyKwh: Type.Number(),
    totalCosts: Type.Array(Type.Object({ currency: Type.String(), totalInclVat: Type.Number() }), {
      description: 'Of the sessions that ended, with VAT; one for each currency',
    }),
    lastSessionAt: Nullable(DateTime('When the last session began')),
  },
  { title: 'ChargingStatistics', description: "The driver's charging so far" },
);

export const times = { createdAt: DateTime(), updatedAt: DateTime() };

/** What of a driver both families show. */
export function userView(user: UserRecord) {
  return {
    id: user.uuid,
    email: user.email,
    name: user.name,
    phone: user.phone,
    language: user.language,
    externalId: user.externalId,
    createdAt: user.createdAt.toISOString(),
    updatedAt: user.updatedAt.toISOString(),
  };
}

export function statisticsView({ energyWh, lastSessionAt, ...rest }: UserStatistics) {
  return { ...rest, energyKwh: kilo(energyWh), lastSessionAt: isoOrNull(lastSessionAt) };
}
