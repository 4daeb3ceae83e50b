import { Type } from 'typebox';
import type { App } from '#api/plugins/app-instance.ts';
import { callerOf } from '#api/plugins/auth.ts';
import { cpmsErrors } from '#api/plugins/openapi/error-schemas.ts';
import {
  Amount,
  amounts,
  amountsView,
  Component,
  componentView,
  Tax,
  taxesView,
} from '#api/routes/price-components.ts';
import {
  Closed,
  DateTime,
  Decimal,
  Formed,
  Integer,
  kilo,
  Named,
  OneOf,
  Str,
  Text,
  Uuid,
} from '#api/routes/schema.ts';
import { tariffFields } from '#api/routes/tariff-view.ts';
import { costLineTypes, costNotes } from '#api/services/charging/session-cost.ts';
import type { ApiDeps } from '#api/services/deps.ts';
import { kindTotals, simulateTariff } from '#api/services/money/tariff-simulation.service.ts';
import { Envelope, success } from '#api/routes/cpms/kernel/envelope.ts';

const closed = { additionalProperties: false };
const { elements, idle, min_price, max_price } = tariffFields;
const Minutes = (minimum: number, description: string) =>
  Decimal(description, 60, { minimum, maximum: 43_200 });

const Draft = Type.Object(
  {
    currency: Formed('a currency code of ISO 4217', '^[A-Z]{3}$', {
      description: 'Currency of the prices (ISO 4217).',
      examples: ['EUR'],
    }),
    elements,
    idle: Type.Optional(idle),
    min_price: Type.Optional(min_price),
    max_price: Type.Optional(max_price),
  },
  { ...closed, description: 'Prices of a tariff that is not stored. Required without `tariffId`.' },
);

const Request = Type.Object(
  {
    tariffId: Type.Optional(Uuid('Tariff to price by, as it is now. Required without `tariff`.')),
    tariff: Type.Optional(Draft),
    timeZone: Type.Optional(
      Text(64, 'Time zone of restrictions on time (IANA). Default: UTC.', 'Europe/Amsterdam'),
    ),
    startTime: DateTime('Start of the session.'),
    charging: Type.Array(
      Closed({
        minutes: Minutes(0.1, 'Duration of the part in minutes.'),
        powerKw: Decimal('Power in kW, constant through the part.', 11, { minimum: 0, maximum: 10_000 }),
      }),
      { minItems: 1, maxItems: 100, description: 'Power curve: the parts of the charging time, in order.' },
    ),
    parkingMinutes: Type.Optional(
      Minutes(0, 'Time at the connector after charging, in minutes. Default: 0.'),
    ),
    points: Type.Optional(
      Integer('Number of points of the series.', 60, { minimum: 2, maximum: 200, default: 60 }),
    ),
  },
  {
    ...closed,
    examples: [
      {
        tariff: {
          currency: 'EUR',
          elements: [{ price_components: [{ type: 'ENERGY', price: 0.4, vat: 21, step_size: 1 }] }],
        },
        startTime: '2026-01-31T12:00:00Z',
        charging: [{ minutes: 60, powerKw: 11 }],
        parkingMinutes: 30,
      },
    ],
  },
);

const Simulation = Named('TariffSimulation', {
  currency: Str('Currency of the amounts (ISO 4217).', 'EUR'),
  series: Type.Array(
    Type.Object({
      time: DateTime('Time of the point.'),
      energyKwh: Decimal('Energy so far in kWh.', 5.5),
      net: amounts.net,
      gross: Amount('Amount with tax, of a session that ends then.', '6.05'),
      kinds: Type.Array(
        Type.Object({
          kind: OneOf(costLineTypes, 'Kind of component.'),
          net: amounts.net,
          gross: amounts.gross,
        }),
        { description: 'Amounts by kind of component. They add up to the amounts of the point.' },
      ),
    }),
    { description: 'Cost over time, at equal distances from the start to the end.' },
  ),
  components: Type.Array(Component, {
    description: 'Components of the price at the end, in the order of the tariff. They add up to the totals.',
  }),
  taxes: Type.Array(Tax, { description: 'Sums of the components by tax rate.' }),
  totals: Type.Object(amounts, { description: 'Price at the end.' }),
  notes: Type.Array(OneOf(costNotes), { description: 'Limits of the calculation.' }),
});

/** Registers the route that simulates a tariff. */
export function tariffSimulationRoutes(app: App, deps: ApiDeps): void {
  app.route({
    method: 'POST',
    url: '/tariffs/simulate',
    config: { scope: 'cpms:read:tariffs', idempotent: false },
    schema: {
      operationId: 'simulateTariff',
      summary: 'Price a session by a tariff, over time',
      description:
        'Prices a power curve by a stored tariff or a draft, with the code that prices sessions. Nothing is stored. ' +
        'Restrictions on current never match.',
      body: Request,
      response: {
        200: Envelope(Simulation, 'The cost over time.'),
        ...cpmsErrors('TARIFF_NOT_FOUND'),
      },
    },
    handler: async (request) => {
      const { startTime, parkingMinutes = 0, points = 60, ...rest } = request.body;
      const { cost, series, lines } = await simulateTariff(deps, callerOf(request), {
        ...rest,
        startTime: new Date(startTime),
        parkingMinutes,
        points,
      });
      const { currency } = cost;
      return success({
        currency,
        series: series.map(({ at, energyWh, cost: until }) => {
          const { net, gross } = amountsView(until.totalExclVatMinor, until.totalVatMinor, currency);
          const kinds = kindTotals(until.lines).map(({ type, exclVatMinor, vatMinor }) => {
            const { net, gross } = amountsView(exclVatMinor, vatMinor, currency);
            return { kind: type, net, gross };
          });
          return { time: at.toISOString(), energyKwh: kilo(energyWh), net, gross, kinds };
        }),
        components: lines.map((line) => componentView(line, currency)),
        taxes: taxesView(cost.lines, currency),
        totals: amountsView(cost.totalExclVatMinor, cost.totalVatMinor, currency),
        notes: cost.notes,
      });
    },
  });
}
