import { Type } from 'typebox';
import { Version } from '#api/routes/cpms/kernel/versioned.ts';
import {
  Closed,
  DateTime,
  Decimal,
  Flag,
  Formed,
  Integer,
  Named,
  NetworkNumber,
  Nullable,
  OneOf,
  Str,
  Text,
  Uuid,
} from '#api/routes/schema.ts';
import { strategies } from '#shared/domain/load/demand.ts';
import { defaultSettings } from '#shared/domain/load/plan.ts';
import { stationQuirks } from '#shared/domain/load/quirks.ts';
import { boundSources, controls } from '#shared/domain/load/site.ts';

/** Highest current of a circuit in ampere. */
const maxCircuitAmps = 10_000;

/** Range of a reading in ampere. Values that no circuit has are flagged, not refused. */
export const readingRange = { minimum: -10_000_000, maximum: 10_000_000 };

/** Highest current of a connector in ampere. */
const maxConnectorAmps = 1000;

/** Currents in A on L1 to L3. */
export const Phases = (description: string, { minimum, maximum } = { minimum: 0, maximum: maxCircuitAmps }) =>
  Type.Unsafe<[number, number, number]>({
    type: 'array',
    items: { type: 'number', minimum, maximum },
    minItems: 3,
    maxItems: 3,
    description: `${description} In A on L1, L2 and L3.`,
    examples: [[63, 63, 63]],
  });

/** Identifier of a circuit or a bound, which the operator chooses. */
export const Key = (description: string, example = 'grid') =>
  Formed('1 to 40 of the characters a-z, 0-9 and -', '^[a-z0-9][a-z0-9-]*$', {
    maxLength: 40,
    description,
    examples: [example],
  });

/** Current in tenths, as charging profiles have it. */
const Amps = (description: string, example: number) =>
  Decimal(description, example, { minimum: 0, maximum: maxConnectorAmps, multipleOf: 0.1 });

const Minute = (description: string, example: number) =>
  Integer(description, example, { minimum: 0, maximum: 1440 });

export const settings = {
  strategy: OneOf(
    strategies,
    'Rule by which cars share the limits. equal: the same for each car. priority: by the priority of the connector. first-come, ' +
      'earliest-deadline and least-laxity: one car after the other. energy-need: by the power that a car needs until it departs.',
  ),
  minOnSeconds: Integer(
    'Time for which a car charges at least before it may pause.',
    defaultSettings.times.minOn,
    { minimum: 0, maximum: 86_400 },
  ),
  turnSeconds: Integer(
    'Time after which a charging car gives its turn to a paused one.',
    defaultSettings.times.turn,
    { minimum: 60, maximum: 86_400 },
  ),
  raiseEverySeconds: Integer(
    'Minimum time between two raises of one connector.',
    defaultSettings.raiseEvery,
    { minimum: 1, maximum: 3600 },
  ),
  rampAmps: Decimal('Highest raise in one step, in A.', defaultSettings.rampAmps, {
    minimum: 1,
    maximum: maxConnectorAmps,
  }),
  rebalanceEverySeconds: Integer(
    'Minimum time before a limit is lowered only to share more fairly. A full circuit lowers it at once.',
    defaultSettings.rebalanceEvery,
    { minimum: 1, maximum: 3600 },
  ),
};

export const Circuit = Named('LoadCircuit', {
  id: Key('Circuit identifier, unique within the site.'),
  name: Text(100, 'Name for operators.', 'Grid connection'),
  parentId: Nullable(Key('Circuit that feeds this one. Null: the grid connection.')),
  amps: Phases('Limit of the circuit, including the derating of its breaker.'),
  schedule: Type.Array(
    Closed({
      fromMinute: Minute('First minute, since midnight of local time.', 1020),
      toMinute: Minute('First minute after the part. Before `fromMinute`: on the next day.', 1200),
      amps: Phases('Limit during the part.'),
    }),
    { maxItems: 48, description: 'Other limits for parts of each day. The first part that applies counts.' },
  ),
  otherLoad: Type.Object(
    {
      kind: OneOf(
        ['fixed', 'metered', 'metered-total'],
        'fixed: `amps` always counts. metered: a meter measures the load without charging. metered-total: a meter measures ' +
          'everything below the circuit, also charging.',
      ),
      amps: Phases('Highest load that is not charging. It counts while a meter is lost.'),
    },
    { additionalProperties: false, description: 'Load of the circuit itself that is not charging.' },
  ),
  transformerRatio: Nullable(
    Decimal(
      'Current in a secondary winding for each A in its primary winding, of a delta-star transformer below the circuit. Null: none.',
      2.31,
      { exclusiveMinimum: 0, maximum: 1000 },
    ),
  ),
});

export const rotations = [
  'R',
  'S',
  'T',
  'RS',
  'ST',
  'TR',
  'SR',
  'TS',
  'RT',
  'RST',
  'STR',
  'TRS',
  'RTS',
  'TSR',
  'SRT',
] as const;

export const wiring = {
  connectorId: Uuid('Connector identifier.'),
  circuitId: Key('Circuit that feeds the connector.', 'board-a'),
  rotation: Nullable(
    OneOf(
      rotations,
      'Phases behind the pins L1 to L3 of the connector: R is L1, S is L2, T is L3. Null: unknown, and a car counts on all phases.',
    ),
  ),
  connection: OneOf(
    ['star', 'line-to-line'],
    'star: phase to neutral. line-to-line: one load between two phases.',
  ),
  voltage: Decimal('Voltage of one load in V.', 230, { minimum: 50, maximum: 1000 }),
  minAmps: Amps('Lowest current in A at which a car charges: 6 (IEC 61851).', 6),
  maxAmps: Amps('Highest current of a phase in A.', 32),
  fallbackAmps: Amps(
    'Limit in A that the station applies without a connection: 0, or at least `minAmps`. It is always reserved.',
    6,
  ),
  control: OneOf(controls, 'profiles: by charging profiles. none: the connector counts at its maximum.'),
  quirks: Nullable(
    Type.Array(OneOf(stationQuirks), {
      maxItems: stationQuirks.length,
      uniqueItems: true,
      description: 'Deviations of the station in smart charging. Null: those that are known of its model.',
    }),
  ),
  priority: Decimal('Weight of its car with the strategy `priority`.', 1, { minimum: 0.01, maximum: 1000 }),
};

const Connector = Named('LoadConnector', {
  ...wiring,
  connectorNumber: Integer('Connector number at the charger.', 1),
  chargerId: Uuid('Charger identifier.'),
  chargerUid: Str('OCPP identity of the charger.', 'CP-1'),
  setAsideAt: Nullable(
    DateTime(
      'Time since which its readings exceed its limit, so that it counts at its maximum. Null: it is trusted.',
    ),
  ),
});

export const boundFields = {
  source: OneOf(boundSources, 'Origin of the bound.'),
  circuitId: Nullable(Key('Circuit whose charging is bounded. Null: `connectorId` is set.')),
  connectorId: Nullable(Uuid('Connector that is bounded. Null: `circuitId` is set.')),
  amps: Phases(
    'Highest current of charging. The lowest phase counts for a connector, but never less than its fallback.',
  ),
  validFrom: Nullable(DateTime('Start of the bound. Null: now.')),
  validUntil: Nullable(DateTime('End of the bound. Null: until it is deleted.')),
};

const Bound = Named('LoadBound', {
  id: Key('Bound identifier, unique within the site.', 'grid-operator'),
  ...boundFields,
});

export const ofSite = {
  name: Text(100, 'Name of the site.', 'Garage'),
  locationId: Nullable(
    Uuid('Location that determines local time. Null: the time zone of the network applies.'),
  ),
  isEnabled: Flag('True to plan the site and send limits to its stations.'),
};

export const LoadSite = Named('LoadSite', {
  id: Uuid('Site identifier.'),
  networkId: NetworkNumber,
  networkUuid: Uuid('Network of the site.'),
  ...ofSite,
  timeZone: Str('Time zone of schedules (IANA).', 'Europe/Berlin'),
  settings: Named('LoadSettings', settings),
  circuits: Type.Array(Circuit, { description: 'Tree of circuits.' }),
  connectors: Type.Array(Connector, { description: 'Connectors of the circuits.' }),
  bounds: Type.Array(Bound, { description: 'External bounds that have not ended.' }),
  version: Version,
  createdAt: DateTime('Time of creation.'),
  updatedAt: DateTime('Time of the latest change.'),
});

export const LoadSiteSummary = Named('LoadSiteSummary', {
  id: Uuid('Site identifier.'),
  networkId: NetworkNumber,
  networkUuid: Uuid('Network of the site.'),
  ...ofSite,
  strategy: settings.strategy,
  gridAmps: Phases('Limit of the grid connection.'),
  circuits: Integer('Number of circuits.', 3),
  connectors: Integer('Number of connectors.', 12),
  setAside: Integer('Number of connectors that exceed their limits.', 0),
});
