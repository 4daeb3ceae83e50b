/** Phases of a supply as OCPP names them in a rotation: R is L1, S is L2, T is L3. */
export const phaseLetters = ['R', 'S', 'T'] as const;
type PhaseLetter = (typeof phaseLetters)[number];

/** Current in ampere on L1, L2 and L3. */
export type PhaseAmps = readonly [number, number, number];

export const noAmps: PhaseAmps = [0, 0, 0];

/** Current limit that replaces the limit of a circuit during a part of each day, in minutes of local time. */
export interface ScheduledLimit {
  fromMinute: number;
  /** First minute after the part. Before `fromMinute`: the part ends on the next day. */
  toMinute: number;
  amps: PhaseAmps;
}

/**
 * Load of a circuit that is not charging.
 * - `fixed`: the highest current, which is always counted.
 * - `metered`: a meter measures it. `measures` is `other` if charging is not part of the readings, `total` if everything below the
 *   circuit is. `worstAmps` is counted while the meter is lost.
 */
export type OtherLoad =
  | { kind: 'fixed'; amps: PhaseAmps }
  | { kind: 'metered'; measures: 'other' | 'total'; worstAmps: PhaseAmps };

/** Grid connection, distribution board or group: everything behind one breaker. */
export interface Circuit {
  id: string;
  /** Null: the grid connection. */
  parentId: string | null;
  amps: PhaseAmps;
  schedule: readonly ScheduledLimit[];
  other: OtherLoad;
  /**
   * Ratio of a delta-star transformer below this circuit: current in a secondary winding for each ampere in its primary winding.
   * Null: no transformer.
   */
  transformerRatio: number | null;
}

/** Phase order of a connector, from its first pin to its last. */
export type Rotation = readonly PhaseLetter[];

/** Control of a connector: by charging profiles. `none`: it is counted at its maximum. */
export const controls = ['profiles', 'none'] as const;
type Control = (typeof controls)[number];

/** Connector, and the way it is wired to its circuit. */
export interface Connector {
  id: string;
  siteId: string;
  circuitId: string;
  /**
   * Phases behind the pins L1 to L3 of the connector: one to three of them. Two phases of a `line-to-line` connector are both ends
   * of one load. Null: unknown, and the car is counted on all phases.
   */
  rotation: Rotation | null;
  connection: 'star' | 'line-to-line';
  /** Voltage of one load in V: a phase to neutral, or between two phases. */
  voltage: number;
  /** Lowest current at which a car charges: 6 A (IEC 61851). */
  minAmps: number;
  maxAmps: number;
  /** Limit that the station applies to new sessions without a connection: 0, or at least `minAmps`. */
  fallbackAmps: number;
  control: Control;
}

/** Returns the power in W that a connector delivers for each ampere, if the car draws from all its phases. */
export function wattsPerAmp({
  connection,
  rotation,
  voltage,
}: Pick<Connector, 'connection' | 'rotation' | 'voltage'>): number {
  return connection === 'star' ? voltage * (rotation?.length ?? 3) : voltage;
}

/** Tree of circuits with the connectors below them. */
export interface Site {
  id: string;
  circuits: readonly Circuit[];
  connectors: readonly Connector[];
}

/** Reason of a limit that does not come from a circuit. */
export const boundSources = ['operator', 'grid-operator', 'price', 'solar', 'local-controller'] as const;
export type BoundSource = (typeof boundSources)[number];

/** Upper bound from outside on the charging of a circuit, or of each listed connector. */
export interface ExternalBound {
  source: BoundSource;
  target: { circuitId: string } | { connectorId: string };
  amps: PhaseAmps;
}

/** Returns the limits of a circuit at a minute of local time. */
export function ampsAt(circuit: Circuit, localMinute: number): PhaseAmps {
  const part = circuit.schedule.find(({ fromMinute, toMinute }) =>
    fromMinute < toMinute
      ? fromMinute <= localMinute && localMinute < toMinute
      : fromMinute <= localMinute || localMinute < toMinute,
  );
  return part?.amps ?? circuit.amps;
}
