import { Type } from 'typebox';
import { Decimal, Named, OneOf, Str } from '#api/routes/schema.ts';
import { Cdr as Cdr221 } from '#api/routes/ocpi/standard/cdr.ts';
import { CdrToken as CdrToken221, sessionFields } from '#api/routes/ocpi/standard/session.ts';
import { ocpiTokenTypes } from '#shared/domain/roaming/roaming.ts';

/** Price (OCPI 2.3.0). */
const Price = Named('Ocpi230Price', {
  before_taxes: Decimal('Amount without taxes.'),
  taxes: Type.Optional(
    Type.Array(
      Type.Object({
        name: Str('Name of the tax.', 'VAT'),
        amount: Decimal('Amount of the tax.'),
      }),
      { description: 'Taxes on the amount.' },
    ),
  ),
});

const CdrToken = Named('Ocpi230CdrToken', {
  ...CdrToken221.properties,
  type: OneOf(ocpiTokenTypes, 'Type (OCPI).'),
});

/** Session (OCPI 2.3.0). */
export const Session = Named('Ocpi230Session', {
  ...sessionFields,
  cdr_token: CdrToken,
  total_cost: Type.Optional(Price),
});

/** CDR (OCPI 2.3.0). */
export const Cdr = Named('Ocpi230Cdr', {
  ...Cdr221.properties,
  cdr_token: CdrToken,
  total_cost: Price,
  total_fixed_cost: Type.Optional(Price),
  total_energy_cost: Type.Optional(Price),
  total_time_cost: Type.Optional(Price),
  total_parking_cost: Type.Optional(Price),
  total_reservation_cost: Type.Optional(Price),
});
