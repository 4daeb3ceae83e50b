import { isRecord, number, type Payload, record, records, text } from './payload.ts';
import type { Session } from './station.ts';

/** Tariff that a station calculates by: a price of energy and a fixed fee, without conditions. */
interface LocalTariff {
  tariffId: string;
  currency: string;
  priceKwh: number;
  fixedFee: number;
  taxPercent: number;
}

/** Limits of a session (TransactionLimitType). */
interface Limits {
  maxCost?: number | undefined;
  maxEnergy?: number | undefined;
  maxTime?: number | undefined;
}

/** Parts of a tariff that a simulated station does not calculate. */
const unsupported = ['chargingTime', 'idleTime', 'minCost', 'maxCost'];

/** Tariffs of a station of OCPP 2.1, and the limits and costs of its sessions. */
export class LocalCosts {
  readonly #tariffs = new Map<number, LocalTariff>();
  readonly #ofSession = new WeakMap<Session, LocalTariff>();
  readonly #limits = new WeakMap<Session, Limits>();

  /** Keeps a default tariff (I07); returns the status of the answer. EVSE 0 stands for all of them. */
  setTariff(evseIds: readonly number[], payload: Payload): 'Accepted' | 'ConditionNotSupported' {
    const tariff = localTariffOf(record(payload, 'tariff'));
    if (tariff === null) return 'ConditionNotSupported';
    for (const evseId of evseIds) this.#tariffs.set(evseId, tariff);
    return 'Accepted';
  }

  /** Removes tariffs (I10); undefined: of any identifier or EVSE. Returns true when there was one. */
  clearTariffs(tariffIds: readonly string[] | undefined, evseId: number | undefined): boolean {
    const cleared = [...this.#tariffs].filter(
      ([evse, { tariffId }]) =>
        (evseId ?? evse) === evse && (tariffIds === undefined || tariffIds.includes(tariffId)),
    );
    for (const [evse] of cleared) this.#tariffs.delete(evse);
    return cleared.length > 0;
  }

  /** Returns the tariffs by EVSE. */
  assignments(): Payload[] {
    return [...this.#tariffs].map(([evse, { tariffId }]) => ({
      tariffId,
      tariffKind: 'DefaultTariff',
      evseIds: [evse],
    }));
  }

  /** Fixes the tariff of a session, which begins. */
  begin(session: Session): void {
    const tariff = this.#tariffs.get(session.connector);
    if (tariff !== undefined) this.#ofSession.set(session, tariff);
  }

  /** Takes the limits that the answer to an event carries (E16). */
  limit(session: Session, answer: Payload): void {
    if (!isRecord(answer.transactionLimit)) return;
    const { transactionLimit } = answer;
    const known = this.#limits.get(session);
    const of = (name: keyof Limits) => number(transactionLimit, name) ?? known?.[name];
    this.#limits.set(session, { maxCost: of('maxCost'), maxEnergy: of('maxEnergy'), maxTime: of('maxTime') });
  }

  /** Adds limits and cost of a session to an event, at a register in Wh and a time. */
  extend(event: Payload, session: Session, wh: number, at: Date): Payload {
    const limits = this.#limits.get(session);
    const tariff = this.#ofSession.get(session);
    const cost = tariff === undefined ? undefined : costOf(tariff, session, wh, at);
    const reached =
      event.eventType === 'Updated' ? reachedLimit(limits, session, wh, at, cost?.inclTax) : undefined;
    const info = record(event, 'transactionInfo');
    return {
      ...event,
      triggerReason: reached ?? event.triggerReason,
      transactionInfo: {
        ...info,
        ...(reached !== undefined && { chargingState: 'SuspendedEVSE' }),
        transactionLimit: limits,
        tariffId: tariff?.tariffId,
      },
      costDetails: cost?.details,
    };
  }
}

function localTariffOf(tariff: Payload): LocalTariff | null {
  if (unsupported.some((name) => tariff[name] !== undefined)) return null;
  const energy = priceOf(tariff, 'energy', 'priceKwh');
  const fee = priceOf(tariff, 'fixedFee', 'priceFixed');
  const tariffId = text(tariff, 'tariffId');
  const currency = text(tariff, 'currency');
  if (energy === null || fee === null || tariffId === undefined || currency === undefined) return null;
  // A single rate of tax: the first one of either part.
  const taxPercent = energy.taxPercent ?? fee.taxPercent ?? 0;
  if ((fee.taxPercent ?? taxPercent) !== taxPercent) return null;
  return { tariffId, currency, priceKwh: energy.price, fixedFee: fee.price, taxPercent };
}

/** Returns the single price of a part of a tariff, 0 without the part; null where it has conditions. */
function priceOf(
  tariff: Payload,
  part: string,
  price: string,
): { price: number; taxPercent?: number | undefined } | null {
  if (tariff[part] === undefined) return { price: 0 };
  const prices = records(record(tariff, part), 'prices');
  const [only] = prices;
  if (
    only === undefined ||
    prices.length > 1 ||
    only.conditions !== undefined ||
    only.conditionsFixed !== undefined
  )
    return null;
  const [rate] = records(record(tariff, part), 'taxRates');
  return { price: number(only, price) ?? 0, taxPercent: rate && number(rate, 'tax') };
}

function costOf(
  { currency, priceKwh, fixedFee, taxPercent }: LocalTariff,
  session: Session,
  wh: number,
  at: Date,
) {
  const energy = Math.max(0, wh - session.meterStartWh);
  const exclTax = cents((energy / 1000) * priceKwh + fixedFee);
  const inclTax = cents(exclTax * (1 + taxPercent / 100));
  const chargingTime = secondsOf(session, at);
  return {
    inclTax,
    details: {
      totalCost: { currency, typeOfCost: 'NormalCost', total: { exclTax, inclTax } },
      totalUsage: { energy, chargingTime, idleTime: 0 },
    },
  };
}

function reachedLimit(
  limits: Limits | undefined,
  session: Session,
  wh: number,
  at: Date,
  cost: number | undefined,
): string | undefined {
  if (limits === undefined) return undefined;
  if (wh - session.meterStartWh >= (limits.maxEnergy ?? Infinity)) return 'EnergyLimitReached';
  if ((cost ?? 0) >= (limits.maxCost ?? Infinity)) return 'CostLimitReached';
  return secondsOf(session, at) >= (limits.maxTime ?? Infinity) ? 'TimeLimitReached' : undefined;
}

function secondsOf(session: Session, at: Date): number {
  return Math.max(0, Math.round((at.getTime() - session.startedAt.getTime()) / 1000));
}

function cents(amount: number): number {
  return Math.round(amount * 100) / 100;
}
