/** The sessions of a network that ended in one bucket, in one currency. */
export interface SessionSums {
  networkId: number;
  currency: string;
  /** Index of the bucket. */
  bucket: number;
  sessions: number;
  /** Those that have a price. */
  pricedSessions: number;
  durationMs: number;
  energyMilliWh: number;
  costExclVatMinor: bigint;
  costInclVatMinor: bigint;
}
