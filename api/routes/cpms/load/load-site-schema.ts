import { Type } from 'typebox';
import { Version } from '#api/routes/cpms/kernel/versioned.ts';
import { DateTime, Formed, Named, NetworkNumber, Nullable, OneOf, Text, Uuid } from '#api/routes/schema.ts';
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
  Type.Number({ minimum: 0, maximum: maxConnectorAmps, multipleOf: 0.1, description, examples: [example] });

const Minute = (description: string, example: number) =>
  Type.Integer({ minimum: 0, maximum: 1440, description, examples: [example] });

export const settings = {
  strategy: OneOf(
    strategies,
    'Rule by which cars share the limits. equal: the same for each car. priority: by the priority of the connector. first-come, ' +
      'earliest-deadline and least-laxity: one car after the other. energy-need: by the power that a car needs until it departs.',
  ),
  minOnSeconds: Type.Integer({
    minimum: 0,
    maximum: 86_400,
    description: 'Time for which a car charges at least before it may pause.',
    examples: [defaultSettings.times.minOn],
  }),
  turnSeconds: Type.Integer({
    minimum: 60,
    maximum: 86_400,
    description: 'Time after which a charging car gives its turn to a paused one.',
    examples: [defaultSettings.times.turn],
  }),
  raiseEverySeconds: Type.Integer({
    minimum: 1,
    maximum: 3600,
    description: 'Minimum time between two raises of one connector.',
    examples: [defaultSettings.raiseEvery],
  }),
  rampAmps: Type.Number({
    minimum: 1,
    maximum: maxConnectorAmps,
    description: 'Highest raise in one step, in A.',
    examples: [defaultSettings.rampAmps],
  }),
  rebalanceEverySeconds: Type.Integer({
    minimum: 1,
    maximum: 3600,
    description:
      'Minimum time before a limit is lowered only to share more fairly. A full circuit lowers it at once.',
    examples: [defaultSettings.rebalanceEvery],
  }),
};

export const Circuit = Named('LoadCircuit', {
  id: Key('Circuit identifier, unique within the site.'),
  name: Text(100, { description: 'Name for operators.', examples: ['Grid connection'] }),
  parentId: Nullable(Key('Circuit that feeds this one. Null: the grid connection.')),
  amps: Phases('Limit of the circuit, including the derating of its breaker.'),
  schedule: Type.Array(
    Type.Object(
      {
        fromMinute: Minute('First minute, since midnight of local time.', 1020),
        toMinute: Minute('First minute after the part. Before `fromMinute`: on the next day.', 1200),
        amps: Phases('Limit during the part.'),
      },
      { additionalProperties: false },
    ),
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
    Type.Number({
      exclusiveMinimum: 0,
      maximum: 1000,
      description:
        'Current in a secondary winding for each A in its primary winding, of a delta-star transformer below the circuit. Null: none.',
      examples: [2.31],
    }),
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
  voltage: Type.Number({
    minimum: 50,
    maximum: 1000,
    description: 'Voltage of one load in V.',
    examples: [230],
  }),
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
  priority: Type.Number({
    minimum: 0.01,
    maximum: 1000,
    description: 'Weight of its car with the strategy `priority`.',
    examples: [1],
  }),
};

const Connector = Named('LoadConnector', {
  ...wiring,
  connectorNumber: Type.Integer({ description: 'Connector number at the charger.', examples: [1] }),
  chargerId: Uuid('Charger identifier.'),
  chargerUid: Type.String({ description: 'OCPP identity of the charger.', examples: ['CP-1'] }),
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
  name: Text(100, { description: 'Name of the site.', examples: ['Garage'] }),
  locationId: Nullable(
    Uuid('Location that determines local time. Null: the time zone of the network applies.'),
  ),
  isEnabled: Type.Boolean({ description: 'True to plan the site and send limits to its stations.' }),
};

export const LoadSite = Named('LoadSite', {
  id: Uuid('Site identifier.'),
  networkId: NetworkNumber,
  networkUuid: Uuid('Network of the site.'),
  ...ofSite,
  timeZone: Type.String({ description: 'Time zone of schedules (IANA).', examples: ['Europe/Berlin'] }),
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
  circuits: Type.Integer({ description: 'Number of circuits.', examples: [3] }),
  connectors: Type.Integer({ description: 'Number of connectors.', examples: [12] }),
  setAside: Type.Integer({ description: 'Number of connectors that exceed their limits.', examples: [0] }),
});
