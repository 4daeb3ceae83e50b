import { Readable } from 'node:stream';
import { Type } from 'typebox';
import type { App } from '#api/plugins/app-instance.ts';
import { callerOf } from '#api/plugins/auth.ts';
import { cpmsErrors } from '#api/plugins/openapi/error-schemas.ts';
import { Envelope, success } from '#api/routes/cpms/kernel/envelope.ts';
import { networkOf, networkQuery } from '#api/routes/cpms/kernel/network-query.ts';
import { operation } from '#api/routes/operation.ts';
import { CsvFile, isoOrNull, kilo } from '#api/routes/schema.ts';
import type { ApiDeps } from '#api/services/deps.ts';
import {
  chargerMap,
  chargerSummary,
  exportChargers,
  type MapFeature,
} from '#api/services/fleet/charger-overview.service.ts';
import { csvBytes, withByteOrderMark } from '#api/services/reporting/exports/csv-bytes.ts';
import { chargerColumns, chargerRow } from './charger-csv.ts';
import { ChargerMapSchema, ChargerSummarySchema, mapBoxOf, mapQuery } from './charger-overview-schema.ts';
import {
  chargerFilterOf,
  chargerFilters,
  chargerOrderOf,
  chargerSort,
} from '#api/routes/cpms/kernel/charger-query.ts';

const config = { scope: 'cpms:read:chargers' } as const;

/** Registers the routes that count chargers, place them on the map and export them. */
export function chargerOverviewRoutes(app: App, deps: ApiDeps): void {
  operation(app, 'GET /chargers/summary', config, {
    operationId: 'summarizeChargers',
    summary: 'Count chargers by state, OCPP version, model and firmware',
    description: 'Counts the chargers that the list returns for the same filters.',
    querystring: Type.Object({ ...networkQuery, ...chargerFilters }),
    response: {
      200: Envelope(ChargerSummarySchema, 'The counts.'),
      ...cpmsErrors('NETWORK_NOT_FOUND'),
    },
    handler: async (request) => {
      const { query } = request;
      const found = await chargerSummary(deps, callerOf(request), networkOf(query), chargerFilterOf(query));
      const { powerW, powerFrom, powerTo, models, ...counts } = found;
      return success({
        ...counts,
        models: models.map(({ value, ...model }) => ({ modelUuid: value, ...model })),
        powerKw: kilo(powerW),
        powerFrom: isoOrNull(powerFrom),
        powerTo: isoOrNull(powerTo),
      });
    },
  });

  operation(app, 'GET /chargers/map', config, {
    operationId: 'mapChargers',
    summary: 'Map chargers, clustered by zoom level',
    description:
      'Locations within a cell of 64 pixels are one cluster. The cells are larger where the box is larger than a ' +
      'screen. From zoom 16 on, locations are not clustered while the box has at most 500.',
    querystring: Type.Object({ ...mapQuery, ...networkQuery, ...chargerFilters }),
    response: {
      200: Envelope(ChargerMapSchema, 'A GeoJSON FeatureCollection.'),
      ...cpmsErrors('NETWORK_NOT_FOUND'),
    },
    handler: async (request) => {
      const { query } = request;
      const part = { box: mapBoxOf(query.bbox), zoom: query.zoom };
      const filter = chargerFilterOf(query);
      const { features, ...counts } = await chargerMap(
        deps,
        callerOf(request),
        networkOf(query),
        filter,
        part,
      );
      return success({ type: 'FeatureCollection' as const, features: features.map(geoJson), ...counts });
    },
  });

  app.route({
    method: 'GET',
    url: '/chargers/export',
    config,
    // A HEAD request would read all data.
    exposeHeadRoute: false,
    schema: {
      operationId: 'exportChargers',
      summary: 'Export chargers as CSV',
      description:
        'Sends all chargers that the list returns for the same filters, in the same order, while they are read. A response ' +
        'without its last chunk is incomplete.',
      querystring: Type.Object({ ...networkQuery, ...chargerFilters, ...chargerSort }),
      response: {
        200: {
          description: 'The chargers, one on each line.',
          content: {
            'text/csv': { schema: CsvFile },
          },
        },
        ...cpmsErrors('NETWORK_NOT_FOUND'),
      },
    },
    handler: async (request, reply) => {
      const { query } = request;
      const caller = callerOf(request);
      const batches = await exportChargers(
        deps,
        caller,
        networkOf(query),
        chargerFilterOf(query),
        chargerOrderOf(query),
      );
      async function* rows() {
        for await (const batch of batches) yield batch.map(chargerRow);
      }
      return reply
        .type('text/csv; charset=utf-8')
        .header('content-disposition', 'attachment; filename="chargers.csv"')
        .header('cache-control', 'no-store')
        .send(
          Readable.from(withByteOrderMark(csvBytes(chargerColumns, rows())), { highWaterMark: 1 }) as never,
        );
    },
  });
}

function geoJson({ longitude, latitude, box, locationUuid, ...counts }: MapFeature) {
  return {
    type: 'Feature' as const,
    geometry: { type: 'Point' as const, coordinates: [longitude, latitude] },
    bbox: [box.west, box.south, box.east, box.north],
    properties: {
      kind: locationUuid === null ? ('cluster' as const) : ('location' as const),
      locationUuid,
      ...counts,
    },
  };
}
