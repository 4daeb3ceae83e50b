import { Type } from 'typebox';
import type { UserRecord, UserStatistics } from '#api/services/people/users.service.ts';
import { internetEmailPattern } from '#shared/domain/people/email.ts';
import { DateTime, isoOrNull, kilo, Nullable, Text, Formed } from './schema.ts';

/** Fields of a driver in requests and responses of both API families. */
export const userFields = {
  email: Formed('an e-mail address', internetEmailPattern, {
    maxLength: 254,
    description: 'E-mail address.',
    examples: ['ada@example.org'],
  }),
  name: Text(100, { examples: ['Ada'], description: 'Name of the driver.' }),
  phone: Nullable(
    Text(32, { description: 'Telephone number. Null when unknown.', examples: ['+31 10 123 4567'] }),
  ),
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
    Text(100, {
      description: 'Identifier of the driver in a system of the operator. Null if not set.',
      examples: ['CRM-42'],
    }),
  ),
};

const { properties: optionalUserFields } = Type.Partial(Type.Object(userFields));

/** Fields of a new driver: e-mail address and name are required. */
export const newUserFields = { ...optionalUserFields, email: userFields.email, name: userFields.name };

/** Body of a change: only provided fields are updated. */
export const UserChange = Type.Object(optionalUserFields, { additionalProperties: false, minProperties: 1 });

/** Search text for drivers. */
export const userSearch = Type.Optional(
  Text(100, {
    description: 'Part of the e-mail address, name, telephone number or external identifier.',
    examples: ['ada'],
  }),
);

export const Statistics = Type.Object(
  {
    sessionCount: Type.Integer({ description: 'Number of sessions, running ones included.', examples: [12] }),
    activeSessionCount: Type.Integer({
      description: 'Number of running sessions among them.',
      examples: [1],
    }),
    energyKwh: Type.Number({ description: 'Energy of all sessions in kWh.', examples: [12.5] }),
    totalCosts: Type.Array(
      Type.Object({
        currency: Type.String({ description: 'Currency (ISO 4217).', examples: ['EUR'] }),
        totalInclVat: Type.Number({
          description: 'Total with VAT, in the major unit of the currency.',
          examples: [6.05],
        }),
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
