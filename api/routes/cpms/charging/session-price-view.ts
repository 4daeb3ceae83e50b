import { type Static, Type } from 'typebox';
import { DateTime, Flag, Integer, Named, Nullable, OneOf, Str, Uuid } from '#api/routes/schema.ts';
import {
  amounts,
  amountsView,
  Component,
  componentView,
  Tax,
  taxesView,
} from '#api/routes/price-components.ts';
import { costNotes, noCostReasons, priceStates } from '#api/services/charging/session-cost.ts';
import type { ExplainedPrice } from '#api/services/charging/session-price.service.ts';

/** Price of a session, explained. */
export const SessionPrice = Named('SessionPrice', {
  sessionId: Uuid('Session identifier.'),
  until: DateTime('End of the session, or the time until which a running one is priced.'),
  isFinal: Flag('False while the session is running and while its price is in review.'),
  priceState: OneOf(priceStates, 'State of the price, as in the session.'),
  unavailable: Nullable(OneOf(noCostReasons, 'Reason that there is no price. Null when there is one.')),
  currency: Str('Currency of the amounts (ISO 4217).', 'EUR'),
  tariff: Nullable(
    Type.Object(
      {
        id: Uuid('Tariff identifier.'),
        name: Str('Name of the tariff.', 'Standard'),
        version: Nullable(
          Integer('Version of the tariff. Null for a session that began before versions were counted.', 3),
        ),
        timeZone: Str('Time zone of restrictions on time (IANA).', 'Europe/Amsterdam'),
      },
      { description: 'Tariff as it stood at the start. Null when none was assigned.' },
    ),
  ),
  components: Type.Array(Component, {
    description: 'Components of the price in the order of the tariff. They add up to the totals exactly.',
  }),
  taxes: Type.Array(Tax, { description: 'Sums of the components by tax rate.' }),
  totals: Nullable(
    Type.Object(amounts, { description: 'Totals of the session. Null when there is no price.' }),
  ),
  isTraced: Flag(
    'False when components have no periods: the readings that the price counts are no longer stored or cannot ' +
      'be read now, or an operator set the price.',
  ),
  notes: Type.Array(OneOf(costNotes), {
    description: 'Limits of the calculation, as in the cost of the session.',
  }),
});

/** Converts the price of a session. */
export function sessionPriceView({
  session,
  until,
  price,
  unavailable,
}: ExplainedPrice): Static<typeof SessionPrice> {
  const { currency, tariff } = session;
  return {
    sessionId: session.uuid,
    until: until.toISOString(),
    isFinal: price?.isFinal ?? false,
    priceState: session.priceState,
    unavailable,
    currency,
    tariff: tariff && {
      id: tariff.uuid,
      name: tariff.name,
      version: tariff.version ?? null,
      timeZone: tariff.time_zone ?? 'UTC',
    },
    components: price?.lines.map((line) => componentView(line, currency)) ?? [],
    taxes: taxesView(price?.cost.lines ?? [], currency),
    totals: price && amountsView(price.cost.totalExclVatMinor, price.cost.totalVatMinor, currency),
    isTraced: price?.isTraced ?? false,
    notes: price?.cost.notes ?? [],
  };
}
