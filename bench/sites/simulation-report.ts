/** Probabilities of faults in each second, of the site or of one station, and of each message. */
export interface Faults {
  loss: number;
  late: number;
  offline: number;
  ignores: number;
  kill: number;
  meterLost: number;
}

export const usualFaults: Faults = {
  loss: 0.05,
  late: 0.02,
  offline: 1 / 7200,
  ignores: 1 / 86_400,
  kill: 1 / 3600,
  meterLost: 1 / 7200,
};

/** Current above a limit, at one second. */
export interface Violation {
  second: number;
  circuit: string;
  phase: number;
  amps: number;
  limit: number;
}

/** Result of a simulation. */
export interface SimulationReport {
  seconds: number;
  /** Seconds in which a line exceeded its limit more than `graceSeconds` after a step of a load that is not controlled. */
  violations: Violation[];
  /** Seconds in which a line exceeded its limit within that time. */
  excusedSeconds: number;
  /**
   * Seconds in which a station ignored its limit at a line without a working meter, and had no chance to report it: breakers have to
   * act. Its next reading ends them.
   */
  hiddenSeconds: number;
  /** Seconds in which a load that is not controlled had grown while no process controlled the site. */
  takeoverSeconds: number;
  /** Seconds in which a load that is not controlled had grown after the last reading of a lost meter, before the worst was assumed. */
  blindSeconds: number;
  /**
   * Seconds in which loads that are not controlled exceeded a limit by themselves, with all controlled stations at their fallback:
   * the building, and stations that ignore their limits. Breakers have to act.
   */
  exhaustedSeconds: number;
  deliveredWh: number;
  /** Energy that the cars could have taken without limits. */
  wantedWh: number;
  counts: Record<
    'sessions' | 'messages' | 'lost' | 'late' | 'offline' | 'ignores' | 'kills' | 'meterLosses' | 'steps',
    number
  >;
}

/** Seconds after a step of a load that is not controlled in which a line may exceed its limit. */
export const graceSeconds = 5;

/** Returns the report of a simulation that begins. */
export function newReport(): SimulationReport {
  return {
    seconds: 0,
    violations: [],
    excusedSeconds: 0,
    hiddenSeconds: 0,
    takeoverSeconds: 0,
    exhaustedSeconds: 0,
    blindSeconds: 0,
    deliveredWh: 0,
    wantedWh: 0,
    counts: {
      sessions: 0,
      messages: 0,
      lost: 0,
      late: 0,
      offline: 0,
      ignores: 0,
      kills: 0,
      meterLosses: 0,
      steps: 0,
    },
  };
}
