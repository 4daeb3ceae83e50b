import { Type } from 'typebox';
import { DateTime, Decimal, Formed, Integer, Named, Nullable, OneOf, Str, Uuid } from '#api/routes/schema.ts';
import { chargerStates } from '#shared/domain/fleet/charger-state.ts';
import { type MapBox, maxMapFeatures, maxMapZoom } from '#shared/domain/fleet/charger-map.ts';
import { DomainError } from '#shared/domain/kernel/errors.ts';

/** Number of chargers by state. */
const StateCounts = Type.Object(
  Object.fromEntries(
    chargerStates.map((state) => [state, Integer(`Number of chargers in the state ${state}.`, 12)]),
  ),
  { description: 'Number of chargers by state. Each charger has one state.' },
);

const Count = Integer('Number of chargers.', 120);

const versionCounts = (description: string, example: string) =>
  Type.Array(
    Type.Object({
      value: Nullable(Str('Version. Null: chargers that reported none.', example)),
      count: Count,
    }),
    { description },
  );

/** Counts of chargers. */
export const ChargerSummarySchema = Named('ChargerCounts', {
  total: Integer('Number of chargers that match.', 20_000),
  states: StateCounts,
  ocppVersions: versionCounts('Chargers by OCPP version, most frequent first.', '1.6'),
  firmwareVersions: versionCounts('Chargers by firmware version, the 100 most frequent.', '1.4.2'),
  models: Type.Array(
    Type.Object({
      modelUuid: Nullable(Uuid('Charger model. Null: chargers without a model.')),
      modelName: Nullable(Str('Name of the model.', 'Quay 11')),
      manufacturerName: Nullable(Str('Name of the manufacturer.', 'Harbour Electric')),
      count: Count,
    }),
    { description: 'Chargers by model, the 100 most frequent.' },
  ),
  runningSessions: Integer('Number of running sessions.', 3200),
  powerKw: Nullable(
    Decimal(
      'Power of the running sessions in kW, as the chargers reported it last. Null without a report. Gateways store ' +
        'reports every 2 seconds.',
      48_210.5,
    ),
  ),
  powerFrom: Nullable(DateTime('Time of the oldest report in `powerKw`. Null without a report.')),
  powerTo: Nullable(DateTime('Time of the newest report in `powerKw`. Null without a report.')),
});

const degrees = String.raw`-?\d{1,3}(?:\.\d{1,12})?`;

/** Part of the map, and the scale at which it is shown. */
export const mapQuery = {
  bbox: Formed(
    'west,south,east,north in degrees, such as 3.2,50.7,7.3,53.6',
    `^${degrees}(?:,${degrees}){3}$`,
    {
      maxLength: 80,
      description:
        'Box in degrees (WGS 84): west,south,east,north. West is greater than east where the box crosses the antimeridian.',
      examples: ['3.2,50.7,7.3,53.6'],
    },
  ),
  zoom: Integer('Zoom level of a Web Mercator map with tiles of 256 pixels.', 8, {
    minimum: 0,
    maximum: maxMapZoom,
  }),
};

/**
 * Returns the box of a query.
 * @throws {DomainError} VALIDATION_FAILED for degrees that are no position, or south above north.
 */
export function mapBoxOf(bbox: string): MapBox {
  const [west = 0, south = 0, east = 0, north = 0] = bbox.split(',').map(Number);
  const isValid =
    Math.abs(west) <= 180 &&
    Math.abs(east) <= 180 &&
    Math.abs(south) <= 90 &&
    Math.abs(north) <= 90 &&
    south <= north;
  if (isValid) return { west, south, east, north };
  throw new DomainError(
    'VALIDATION_FAILED',
    'bbox is no box: send west,south,east,north with longitudes from -180 to 180, latitudes from -90 to 90, and south ' +
      'below north.',
    { errors: [{ field: 'bbox', message: 'is no box' }] },
  );
}

const Box = Type.Array(Type.Number(), {
  minItems: 4,
  maxItems: 4,
  description: 'Box of its locations: west, south, east, north.',
  examples: [[4.3, 51.8, 5.2, 52.5]],
});

/** GeoJSON (RFC 7946) of the chargers of a part of the map. */
export const ChargerMapSchema = Named('ChargerMap', {
  type: Type.Literal('FeatureCollection', { description: 'Always `FeatureCollection`.' }),
  features: Type.Array(
    Type.Object({
      type: Type.Literal('Feature', { description: 'Always `Feature`.' }),
      geometry: Type.Object({
        type: Type.Literal('Point', { description: 'Always `Point`.' }),
        coordinates: Type.Array(Type.Number(), {
          minItems: 2,
          maxItems: 2,
          description: 'Longitude and latitude of the location, or of the centre of the cluster.',
          examples: [[4.8936, 52.3728]],
        }),
      }),
      bbox: Box,
      properties: Type.Object({
        kind: OneOf(
          ['cluster', 'location'],
          'cluster: several locations of a cell of the grid. location: one location.',
        ),
        locationUuid: Nullable(Uuid('Location. Null for a cluster.')),
        name: Nullable(Str('Name of the location. Null for a cluster.', 'Quay')),
        locations: Integer('Number of locations.', 14),
        chargers: Count,
        states: StateCounts,
      }),
    }),
    { description: `At most ${maxMapFeatures} features, those with most chargers first.` },
  ),
  chargers: Integer('Number of chargers in the box that match.', 8120),
  chargersWithoutLocation: Integer(
    'Number of chargers that match and have no location. No box contains them.',
    100,
  ),
});
