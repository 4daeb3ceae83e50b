/** Answer of a station to a call of the back end. */
export interface CommandAnswer {
  uid: string;
  /** Time from the receipt of the call to the answer, in ms. */
  ms: number;
  /** Data of a DataTransfer. */
  data?: string;
}

/**
 * Counters of a fleet. One object is shared by all stations of a process; `connected` is a gauge, the rest
 * only grow.
 */
export interface FleetCounters {
  connected: number;
  connectionsLost: number;
  boots: number;
  sessionsStarted: number;
  sessionsStopped: number;
  /** Sessions that the back end did not authorize. */
  refused: number;
  meterValues: number;
  /** Meter value messages that the back end acknowledged. */
  acknowledged: number;
  remoteStarts: number;
  remoteStops: number;
  /** Calls of the back end that were answered. */
  commands: number;
  /** The same one by one, oldest first; null: they are not kept. */
  commandAnswers: CommandAnswer[] | null;
  /** CALLERRORs received and calls that stayed without an answer until their deadline. */
  errors: number;
}

/** Counters at zero. */
export function createFleetCounters(): FleetCounters {
  return {
    connected: 0,
    connectionsLost: 0,
    boots: 0,
    sessionsStarted: 0,
    sessionsStopped: 0,
    refused: 0,
    meterValues: 0,
    acknowledged: 0,
    remoteStarts: 0,
    remoteStops: 0,
    commands: 0,
    commandAnswers: null,
    errors: 0,
  };
}
