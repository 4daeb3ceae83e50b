import { randomUUID } from 'node:crypto';
import type { ApiDeps } from '#api/services/deps.ts';
import { sessionReadings } from '#api/services/charging/sessions.service.ts';
import type { Logger } from '#shared/log/log.ts';
import {
  type CdrMark,
  type CdrRecord,
  findValidCdr,
  insertCdr,
  listCdrMarks,
  lockBilledSession,
  markDueCdrs,
  removeCdrMarks,
} from '#shared/postgres/roaming/cdrs.statements.ts';
import { listSignedValues } from '#shared/postgres/charging/signed-meter-values.statements.ts';
import type { Transaction } from '#shared/postgres/kernel/client.ts';
import { readCost } from '#shared/postgres/money/cost.statements.ts';
import { type PartnerSession, readPartnerSessions } from '#shared/postgres/roaming/ocpi-sessions.ts';
import { isLate } from '#shared/pricing/price-state.ts';
import type { UsageReading } from '#shared/pricing/usage.ts';
import { periodReadings, withPeriods } from '#api/services/roaming/charging-periods.ts';
import { type Cdr, cdrObject, creditOf } from '#api/services/roaming/wire/v221/cdr.ts';

type Deps = Pick<ApiDeps, 'sql' | 'clickhouse'> & { log: Logger };

const marksAtOnce = 50;
const everyReading = 1;

/**
 * Makes the CDRs of partners' sessions that have ended and have their price. A session that was corrected
 * since is credited and sent again (OCPI 2.2.1 §10.1.1); one that turned out to be another party's is
 * credited to the partner that received it. The transaction of the session's change marks it as due, and it
 * stays so until the CDR is made. Any number of processes can run this. Ends after a batch when the process stops.
 */
export async function makeDueCdrs(deps: Deps, stopping = AbortSignal.any([])): Promise<void> {
  await markDueCdrs(deps.sql, stopping);
  for (let after = 0n; !stopping.aborted;) {
    const marks = await listCdrMarks(deps.sql, after, marksAtOnce);
    const last = marks.at(-1);
    if (last === undefined) return;
    after = last.markId;
    const sessions = await readPartnerSessions(
      deps.sql,
      marks.map(({ sessionId }) => sessionId),
    );
    // Periods come from the same readings as the price; until those can be read the CDRs wait.
    const readings = await periodReadings(deps, sessions.filter(isDue), new Date(), everyReading);
    if (readings === null) return;
    for (const mark of marks) {
      const session = sessions.find(({ id }) => id === mark.sessionId);
      if (session !== undefined && !isDue(session)) continue;
      const made =
        session === undefined
          ? creditFormer(deps, mark)
          : makeCdr(deps, mark, session, readings.get(session.uuid));
      // A CDR that fails holds back none of the others.
      await made.catch((error: unknown) =>
        deps.log.warn({ err: error, session: session?.uuid }, 'could not make a CDR; it will be retried'),
      );
    }
  }
}

async function makeCdr(
  deps: Deps,
  mark: CdrMark,
  session: PartnerSession,
  meter: readonly UsageReading[] | undefined,
): Promise<void> {
  const [reading] = await sessionReadings(deps, [session]);
  await deps.sql.begin(async (transaction) => {
    const billed = await lockBilledSession(transaction, mark.sessionId);
    const { partnerId, version } = session;
    // Changed since it was read, or waiting for its price again: for the next round.
    if (billed?.version !== version || billed.partnerId !== partnerId || billed.isPricedAnew) return;
    await removeCdrMarks(transaction, mark);
    const { cost, isInReview } = billed;
    // The end of a review marks the session again.
    if (reading === undefined || cost === null || isInReview) return;
    const before = await findValidCdr<Cdr>(transaction, session.id);
    if (before?.sessionVersion === version && before.partnerId === partnerId) return;
    const at = new Date();
    if (before !== null) await credit(transaction, mark, before, at);
    // The location that this partner has already received stays as it was.
    const location = before?.partnerId === partnerId ? before.document.cdr_location : null;
    const priced = readCost(cost);
    const signed = session.signatureState === 'NONE' ? [] : await listSignedValues(transaction, session.id);
    const document = cdrObject(withPeriods(reading, session, at, meter), {
      id: randomUUID(),
      cost: priced,
      location,
      signed,
      at,
    });
    await insertCdr(transaction, {
      networkId: session.networkId,
      partnerId,
      sessionId: session.id,
      at,
      ocpiId: document.id,
      sessionVersion: version,
      creditsId: null,
      currency: priced.currency,
      totalExclVatMinor: priced.totalExclVatMinor,
      totalInclVatMinor: priced.totalInclVatMinor,
      document,
    });
  });
}

/**
 * Returns whether a CDR can be made. A session that waits for a new price is excluded: its periods would come
 * from other readings than its price.
 */
function isDue({ priceReadings, invoiceNumber }: PartnerSession): boolean {
  return invoiceNumber !== null || !isLate({ priceReadings });
}

/**
 * Credits the CDR that a partner received of a session that was its own when it was marked, and is no
 * partner's now.
 */
async function creditFormer({ sql }: Deps, mark: CdrMark): Promise<void> {
  await sql.begin(async (transaction) => {
    const billed = await lockBilledSession(transaction, mark.sessionId);
    if (billed?.partnerId !== null) throw new Error("a partner's session with a mark was not read");
    await removeCdrMarks(transaction, mark);
    const before = await findValidCdr<Cdr>(transaction, mark.sessionId);
    if (before !== null) await credit(transaction, mark, before, new Date());
  });
}

/** Takes a record back, at the partner that got it. */
async function credit(
  transaction: Transaction,
  { sessionId }: CdrMark,
  before: CdrRecord<Cdr>,
  at: Date,
): Promise<void> {
  const document = creditOf(before.document, at);
  await insertCdr(transaction, {
    ...before,
    sessionId,
    at,
    ocpiId: document.id,
    creditsId: before.id,
    totalExclVatMinor: -before.totalExclVatMinor,
    totalInclVatMinor: -before.totalInclVatMinor,
    document,
  });
}
