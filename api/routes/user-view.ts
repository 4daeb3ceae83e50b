import { Type } from 'typebox';
import type { UserRecord, UserStatistics } from '#api/services/people/users.service.ts';
import { internetEmailPattern } from '#shared/domain/people/email.ts';
import { DateTime, Decimal, Formed, Integer, isoOrNull, kilo, Nullable, Str, Text } from './schema.ts';

/** Fields of a driver in requests and responses of both API families. */
export const userFields = {
  email: Formed('an e-mail address', internetEmailPattern, {
    maxLength: 254,
    description: 'E-mail address.',
    examples: ['ada@example.org'],
  }),
  name: Text(100, 'Name of the driver.', 'Ada'),
  phone: Nullable(Text(32, 'Telephone number. Null when unknown.', '+31 10 123 4567')),
  language: Nullable(
    Formed(
      'a language tag (BCP 47) beginning in lower case, such as nl or de-AT',
      '^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$',
      {
        maxLength: 35,
        description: 'Language of e-mails and receipts. Null: the language of the network.',
        examples: ['nl'],
      },
    ),
  ),
  externalId: Nullable(
    Text(100, 'Identifier of the driver in a system of the operator. Null if not set.', 'CRM-42'),
  ),
};

const { properties: optionalUserFields } = Type.Partial(Type.Object(userFields));

/** Fields of a new driver: e-mail address and name are required. */
export const newUserFields = { ...optionalUserFields, email: userFields.email, name: userFields.name };

/** Body of a change: only provided fields are updated. */
export const UserChange = Type.Object(optionalUserFields, { additionalProperties: false, minProperties: 1 });

/** Search text for drivers. */
export const userSearch = Type.Optional(
  Text(100, 'Part of the e-mail address, name, telephone number or external identifier.', 'ada'),
);

export const Statistics = Type.Object(
  {
    sessionCount: Integer('Number of sessions, running ones included.', 12),
    activeSessionCount: Integer('Number of running sessions among them.', 1),
    energyKwh: Decimal('Energy of all sessions in kWh.', 12.5),
    totalCosts: Type.Array(
      Type.Object({
        currency: Str('Currency (ISO 4217).', 'EUR'),
        totalInclVat: Decimal('Total with VAT, in the major unit of the currency.', 6.05),
      }),
      {
        description: 'Cost of the completed sessions with VAT, one entry per currency.',
      },
    ),
    lastSessionAt: Nullable(DateTime('Start of the latest session. Null without sessions.')),
  },
  { title: 'ChargingStatistics', description: 'Charging statistics of the driver.' },
);

export const times = {
  createdAt: DateTime('Time of creation.'),
  updatedAt: DateTime('Time of the latest change.'),
};

/** Converts a driver for both API families. */
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
