import { type Static, Type } from 'typebox';
import { DateTime, Decimal, Flag, Integer, kilo, Named, Nullable, OneOf, Uuid } from '#api/routes/schema.ts';
import type { PublishedPlan } from '#shared/domain/load/published-plan.ts';
import { limitReasons } from '#shared/domain/load/plan.ts';
import { siteProblemKinds } from '#shared/domain/load/site-problems.ts';
import { boundSources } from '#shared/domain/load/site.ts';
import { Key, Phases, readingRange } from './load-site-schema.ts';

const phases = ['L1', 'L2', 'L3'] as const;
export const Phase = (description: string) => OneOf(phases, description);
export const phaseOf = (index: number) => phases[index] ?? 'L1';

const Amps = (description: string, example: number) => Decimal(description, example);

const PlannedConnector = Named('LoadPlanConnector', {
  connectorId: Uuid('Connector identifier.'),
  limitAmps: Amps('Limit in A that the station has or gets now.', 10.5),
  targetAmps: Amps('Limit in A that it gets when others have reduced.', 10.5),
  boundAmps: Amps('Highest current in A that it may draw now, whatever messages are lost.', 10.5),
  drawnAmps: Nullable(
    Amps('Highest current of a phase in A by the newest reading. Null: no reading of the last 30 s.', 10.2),
  ),
  reason: Type.Object({
    kind: OneOf(
      limitReasons,
      'full: it has its maximum. idle: no car wants to charge. circuit: a circuit is full. paused: a circuit is full, and the car waits ' +
        'for its turn. bound: an external bound. waiting: others have to reduce first. offline: the station applies its last limit or its ' +
        'fallback. unconfirmed: the station has not confirmed a limit. set-aside: its readings exceed its limit. uncontrolled: it cannot be ' +
        'controlled.',
    ),
    circuitId: Nullable(Key('Full circuit. Null: for another reason.')),
    phase: Nullable(Phase('Full phase of the circuit. Null: for another reason.')),
    source: Nullable(OneOf(boundSources, 'Origin of the bound. Null: for another reason.')),
  }),
  isOnline: Flag('True if the station is connected.'),
  isConfirmed: Flag('True if the station accepted the limit.'),
  drawnPhases: Nullable(Integer('Phases that the car draws from. Null: unknown.', 3)),
  hasCar: Flag('True if a car wants to charge.'),
  departsAt: Nullable(DateTime('Time at which the car departs. Null: unknown.')),
  neededKwh: Nullable(Amps('Energy in kWh that the car still needs. Null: unknown.', 12.5)),
});

const PlannedLine = Named('LoadPlanLine', {
  circuitId: Key('Circuit identifier.'),
  phase: Phase('Phase of the circuit.'),
  limitAmps: Amps('Limit in A.', 63),
  otherAmps: Amps('Load in A that is not charging, as it is counted.', 8),
  loadAmps: Amps(
    'Load in A with charging by the readings. A car without a reading counts at its bound.',
    48.3,
  ),
  boundAmps: Amps('Highest load in A that is possible now.', 62.9),
});

export const LoadPlan = Named('LoadPlan', {
  at: DateTime('Time of the plan.'),
  connectors: Type.Array(PlannedConnector, {
    description: 'Limits, in the order of the connectors of the site.',
  }),
  lines: Type.Array(PlannedLine, { description: 'Three phases of each circuit.' }),
  meters: Type.Array(
    Type.Object({
      circuitId: Key('Circuit identifier.'),
      amps: Phases('Newest reading.', readingRange),
      at: DateTime('Time of the reading.'),
    }),
    { description: 'Newest readings of the meters.' },
  ),
  lostMeters: Type.Array(Key('Circuit identifier.'), {
    description:
      'Circuits whose meter sent no reading for 10 s, or an impossible one. The highest other load counts.',
  }),
  problems: Type.Array(
    Type.Object({
      kind: OneOf(
        siteProblemKinds,
        'direct-current, shared-station, shared-evse: profiles cannot limit the connector, which counts at its maximum. more-phases: its ' +
          'station has more phases than its wiring, and it counts on all phases. fallbacks-exceed-limit: the circuit cannot carry the ' +
          'fallbacks of its stations. The other kinds are of trees that are not stored.',
      ),
      circuitId: Nullable(Key('Circuit identifier. Null: none.')),
      connectorId: Nullable(Uuid('Connector identifier. Null: the circuit as a whole.')),
      message: Type.String({
        description: 'Sentence for the operator.',
        examples: ['Connector 2 of circuit board-a has direct current, which profiles cannot limit.'],
      }),
    }),
    {
      description:
        'Defects that the stations have shown since the site was stored, such as another power type or model. The worst case counts.',
    },
  ),
});

const iso = (ms: number) => new Date(ms).toISOString();

/** Returns a plan as operators read it. */
export function planView({
  at,
  connectors,
  lines,
  meters,
  lostMeters,
  problems,
}: PublishedPlan): Static<typeof LoadPlan> {
  return {
    at: iso(at),
    connectors: connectors.map(({ amps, reason, demand, ...connector }) => ({
      connectorId: connector.connectorId,
      limitAmps: round(amps),
      targetAmps: round(connector.targetAmps),
      boundAmps: round(connector.boundAmps),
      drawnAmps: connector.drawnAmps === null ? null : round(connector.drawnAmps),
      reason: {
        kind: reason.kind,
        circuitId: 'circuitId' in reason ? reason.circuitId : null,
        phase: 'phase' in reason ? phaseOf(reason.phase) : null,
        source: 'source' in reason ? reason.source : null,
      },
      isOnline: connector.isOnline,
      isConfirmed: connector.isConfirmed,
      drawnPhases: connector.drawnPhases,
      hasCar: demand !== null,
      departsAt: demand === null || demand.departsAt === null ? null : iso(demand.departsAt),
      neededKwh: kilo(demand?.neededWh ?? null),
    })),
    lines: lines.map(({ circuitId, phase, limitAmps, otherAmps, loadAmps, boundAmps }) => ({
      circuitId,
      phase: phaseOf(phase),
      limitAmps: round(limitAmps),
      otherAmps: round(otherAmps),
      loadAmps: round(loadAmps),
      boundAmps: round(boundAmps),
    })),
    meters: meters.map(({ circuitId, amps, at: readAt }) => ({
      circuitId,
      amps: [...amps],
      at: iso(readAt),
    })),
    lostMeters,
    problems: problems.map((problem) => ({ ...problem })),
  };
}

/** Rounds a current to hundredths. */
export function round(amps: number): number {
  return Math.round(amps * 100) / 100;
}
