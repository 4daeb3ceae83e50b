/** Registers that a signed value has, with the facts that show whether two of them belong to one session. */
export interface SignedRegisters {
  /** Registers at start and end of the transaction, Wh; null: not in the value, or not usable for billing. */
  startWh: number | null;
  endWh: number | null;
  /** Times of the registers by the meter's clock; null: not in the value, or not usable. */
  startAt: Date | null;
  endAt: Date | null;
  /** Identifiers of the meter and of the register, as JSON; null: the value has no register. */
  register: string | null;
  /** Number of the record among those of transactions, which rises; null: not stated. */
  page: number | null;
}

/** Registers of a value that has none. */
export const noRegisters: SignedRegisters = {
  startWh: null,
  endWh: null,
  startAt: null,
  endAt: null,
  register: null,
  page: null,
};

/** Registers with the key that signed them. */
export interface SignedReading extends SignedRegisters {
  keyId: bigint | null;
}

/** Period of a session. */
export interface SessionPeriod {
  startedAt: Date;
  /** Null: it is running. */
  endedAt: Date | null;
}

/** Difference that the clock of a meter may have, such as one without daylight saving time. */
const clockToleranceMs = 3_600_000;

/** Returns the signed energy of a session in Wh, from registers that belong to it and together, or null. */
export function signedEnergy(values: readonly SignedReading[], period: SessionPeriod): number | null {
  for (const start of values) {
    if (start.startWh === null || !isWithin(start.startAt, period)) continue;
    const end = values.findLast((value) => isWithin(value.endAt, period) && isEndOf(start, value));
    if (end !== undefined && end.endWh !== null) return round(end.endWh - start.startWh);
  }
  return null;
}

/** Returns true when a value has the end of the transaction whose start another has, or both ends are in one value. */
function isEndOf(start: SignedReading, end: SignedReading): boolean {
  if (start.startWh === null || end.endWh === null || end.endWh < start.startWh) return false;
  if (start.keyId !== end.keyId || start.register !== end.register) return false;
  return isInOrder(start.startAt, end.endAt) && isInOrder(start.page, end.page);
}

function isInOrder<Ordered extends number | Date>(first: Ordered | null, last: Ordered | null): boolean {
  return first === null || last === null || first <= last;
}

function isWithin(at: Date | null, { startedAt, endedAt }: SessionPeriod): boolean {
  if (at === null) return true;
  const isAfterStart = at.getTime() >= startedAt.getTime() - clockToleranceMs;
  return isAfterStart && (endedAt === null || at.getTime() <= endedAt.getTime() + clockToleranceMs);
}

/** Three decimals, as for readings: 0.3 stays 0.3. */
function round(wh: number): number {
  return Math.round(wh * 1000) / 1000;
}
