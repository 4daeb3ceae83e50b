import { idlePeriodsUntil, idleSeconds } from '#shared/domain/charging/idle.ts';
import type { ExportRow } from '#shared/domain/reporting/export.ts';
import { type StoredCost } from '#shared/postgres/money/cost.statements.ts';
import type { ExportedSession } from '#shared/postgres/reporting/exported-sessions.ts';
import { minorDigits } from '#shared/pricing/currencies.ts';

/** Returns the row of a session, in the order of the columns of `sessions`. */
export function sessionRow(session: ExportedSession): ExportRow {
  const { startedAt, endedAt, currency } = session;
  return [
    session.uuid,
    session.networkUuid,
    session.locationUuid,
    session.chargerUuid,
    session.connectorUuid,
    session.connectorNumber,
    session.userUuid,
    session.partnerUuid,
    session.tokenType,
    session.status,
    startedAt,
    session.startReceivedAt,
    endedAt,
    session.stopReceivedAt,
    endedAt === null ? null : Math.max(0, endedAt.getTime() - startedAt.getTime()),
    endedAt === null ? null : Math.round(idleSeconds(idlePeriodsUntil(session, endedAt)) * 1000),
    session.stopReason,
    session.energyWh,
    session.peakPowerW,
    session.meterStartWh,
    session.meterStopWh,
    session.tariffUuid,
    session.priceState,
    session.priceReadings,
    session.priceDecision,
    currency,
    minorDigits(currency),
    ...amounts(session),
    session.invoiceNumber,
    JSON.stringify(session.flags.toSorted()),
    session.version,
    session.updatedAt,
    partOf(session, ['RESERVATION_TIME', 'RESERVATION_FLAT']),
  ];
}

type LineType = StoredCost['lines'][number]['type'];

/** Parts of a price but that of the reservation, in the order of their columns. */
const parts: readonly (readonly LineType[])[] = [
  ['ENERGY'],
  ['TIME'],
  ['PARKING_TIME'],
  ['FLAT'],
  ['IDLE'],
  ['MIN_PRICE', 'MAX_PRICE', 'AMENDED'],
];

/** Total without VAT, VAT, total, and the parts. Prices in review are left out, because they may be wrong. */
function amounts({ cost, priceState }: ExportedSession): (bigint | null)[] {
  if (cost === null || priceState !== 'SETTLED') return [null, null, null, ...parts.map(() => null)];
  const totals = [cost.totalExclVatMinor, cost.totalVatMinor, cost.totalInclVatMinor].map(BigInt);
  return [...totals, ...parts.map((types) => sumOf(cost, types))];
}

/** One more part, without VAT, in a column after those of earlier versions. */
function partOf({ cost, priceState }: ExportedSession, types: readonly LineType[]): bigint | null {
  return cost === null || priceState !== 'SETTLED' ? null : sumOf(cost, types);
}

function sumOf({ lines }: StoredCost, types: readonly LineType[]): bigint {
  return lines
    .filter(({ type }) => types.includes(type))
    .reduce((total, { exclVatMinor }) => total + BigInt(exclVatMinor), 0n);
}
