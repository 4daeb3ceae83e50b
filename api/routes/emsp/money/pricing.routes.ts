import { type Static, Type } from 'typebox';
import type { App } from '#api/plugins/app-instance.ts';
import { callerOf } from '#api/plugins/auth.ts';
import { problems } from '#api/plugins/openapi/error-schemas.ts';
import { operation } from '#api/routes/operation.ts';
import { ConnectorNumber, DateTime, Decimal, Integer, Nullable, Text, Uuid } from '#api/routes/schema.ts';
import { TariffDocument, tariffDocumentView } from '#api/routes/tariff-view.ts';
import type { ApiDeps } from '#api/services/deps.ts';
import { estimateCost, readPublicCharger } from '#api/services/money/pricing.service.ts';
import { Charger, chargerView } from '#api/routes/emsp/fleet/charger-view.ts';
import { costBreakdown } from '#api/routes/emsp/charging/session-view.ts';

const minutes = (description: string, example: number) =>
  Decimal(description, example, { minimum: 0, maximum: 44_640 });

const PricingCalculationRequest = Type.Object(
  {
    chargerId: Uuid('Charger identifier.'),
    connectorNumber: Type.Optional(ConnectorNumber),
    energyKwh: Decimal('Energy of the session in kWh.', 12.5, { minimum: 0, maximum: 10_000 }),
    chargingMinutes: minutes('Time charging in minutes. The estimate assumes constant power.', 75),
    parkingMinutes: Type.Optional(minutes('Time at the connector after charging, in minutes.', 5)),
    startTime: Type.Optional(DateTime('Start of the session. Default: now.')),
    currentA: Type.Optional(
      Decimal('Current in A, the sum of the phases, for tariffs with a restriction on it.', 16, {
        minimum: 0,
        maximum: 10_000,
      }),
    ),
  },
  { title: 'PricingCalculationRequest', additionalProperties: false },
);

const tariff = Type.Union([TariffDocument, Type.Null()], {
  description: 'Tariff that applies. Null: no price.',
});

const PricingResult = Type.Object(
  {
    chargerId: Uuid('Charger identifier.'),
    connectorId: Nullable(Uuid('Connector identifier. Null if the request specified no connector.')),
    startTime: DateTime('Start of the session.'),
    endTime: DateTime('Estimated end of the session.'),
    cost: Type.Object(costBreakdown, { description: 'Estimated price of the session.' }),
    tariff: TariffDocument,
  },
  {
    title: 'PricingResult',
    description: 'Estimated cost of the session, by the tariff that applies at its start.',
  },
);

const ChargerInfo = Type.Object(
  {
    ...Charger.properties,
    pricing: Type.Object(
      {
        tariff,
        connectors: Type.Array(
          Type.Object({
            connectorId: Nullable(Uuid('Connector identifier. Null when the connector is not stored.')),
            connectorNumber: Nullable(Integer('Connector number at the charger, starting at 1.', 1)),
            tariff,
          }),
          { description: 'Connectors, ordered by number.' },
        ),
      },
      { description: 'Current prices at the charger.' },
    ),
  },
  { title: 'ChargerInfo', description: 'The charger with its current prices.' },
);

/** Registers the routes of price estimates and current prices. */
export function pricingRoutes(app: App, deps: ApiDeps): void {
  app.route({
    method: 'POST',
    url: '/pricing/calculate',
    config: { scope: 'emsp:public', idempotent: false },
    schema: {
      operationId: 'calculatePrice',
      summary: 'Estimate the cost of a session',
      description:
        'Available for the chargers that the caller can see. Without an assigned tariff: 400 NO_TARIFF.',
      body: PricingCalculationRequest,
      response: { 200: PricingResult, ...problems('Pricing', 'NO_TARIFF') },
    },
    handler: async (request): Promise<Static<typeof PricingResult>> => {
      const { chargerId, startTime, parkingMinutes = 0, ...plan } = request.body;
      const estimate = await estimateCost(deps, callerOf(request), {
        ...plan,
        chargerUuid: chargerId,
        parkingMinutes,
        startTime: startTime === undefined ? undefined : new Date(startTime),
      });
      return {
        chargerId: estimate.chargerUuid,
        connectorId: estimate.connectorUuid,
        startTime: estimate.startTime.toISOString(),
        endTime: estimate.endTime.toISOString(),
        cost: estimate.cost,
        tariff: tariffDocumentView(estimate.effective.tariff),
      };
    },
  });

  operation(app, 'GET /chargers/:identifier/info', 'emsp:public', {
    operationId: 'getChargerInfo',
    summary: 'Get a public charger by a printed name, with its current prices',
    description:
      '`identifier` is the identifier, uid, serial number or an EVSE identifier of the charger, in any case; ' +
      'separators of an EVSE identifier are ignored. Returns only public chargers at published locations.',
    params: Type.Object({
      identifier: Text(100, 'Identifier, uid, serial number or EVSE identifier of the charger.', 'QUAY-1'),
    }),
    response: { 200: ChargerInfo, ...problems('Charger', 'CHARGER_NOT_FOUND') },
    handler: async (request): Promise<Static<typeof ChargerInfo>> => {
      const { whole, places, ...found } = await readPublicCharger(
        deps,
        callerOf(request),
        request.params.identifier,
      );
      return {
        ...chargerView(found),
        pricing: {
          tariff: whole && tariffDocumentView(whole.tariff),
          connectors: places.map(({ connectorUuid, connectorNumber, effective }) => ({
            connectorId: connectorUuid,
            connectorNumber,
            tariff: effective && tariffDocumentView(effective.tariff),
          })),
        },
      };
    },
  });
}
