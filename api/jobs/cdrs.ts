import { randomUUID } from 'node:crypto';
import type { ApiDeps } from '#api/services/deps.ts';
import { sessionReadings } from '#api/services/charging/sessions.ts';
import type { Logger } from '#shared/log/log.ts';
import {
  type CdrMark,
  type CdrRecord,
  findValidCdr,
  insertCdr,
  listCdrMarks,
  lockBilledSession,
  removeCdrMarks,
} from '#shared/postgres/roaming/cdrs.ts';
import type { Transaction } from '#shared/postgres/kernel/client.ts';
import { readCost } from '#shared/postgres/money/cost.ts';
import { type PartnerSession, readPartnerSessions } from '#shared/postgres/roaming/ocpi-sessions.ts';
import { readingsLate } from '#shared/pricing/settle-session.ts';
import type { UsageReading } from '#shared/pricing/usage.ts';
import { chargingPeriods, periodReadings } from '#api/services/roaming/charging-periods.ts';
import { type Cdr, cdrObject, creditOf } from '#api/services/roaming/wire/cdr.ts';

type Deps = Pick<ApiDeps, 'sql' | 'clickhouse'> & { log: Logger };

const marksAtOnce = 50;
const everyReading = 1;

/**
 * Makes the CDRs of partners' sessions that have ended and have their price; one that was put right since is credited and
 * told anew (OCPI 2.2.1 §10.1.1), and one that proved to be another's is credited to the partner that was told of it. What is
 * due was marked in the transaction of the session's change, and stays so until it is made. Any number of processes may run this.
 */
export async function makeDueCdrs(deps: Deps): Promise<void> {
  for (let after = 0n; ; ) {
    const marks = await listCdrMarks(deps.sql, after, marksAtOnce);
    const last = marks.at(-1);
    if (last === undefined) return;
    after = last.markId;
    const sessions = await readPartnerSessions(
      deps.sql,
      marks.map(({ sessionId }) => sessionId),
    );
    // The periods are told from the readings that the price was told from; until they can be read they wait.
    const readings = await periodReadings(deps, sessions.filter(isDue), new Date(), everyReading);
    if (readings === null) return;
    for (const mark of marks) {
      const session = sessions.find(({ id }) => id === mark.sessionId);
      if (session !== undefined && !isDue(session)) continue;
      const made =
        session === undefined
          ? creditFormer(deps, mark)
          : makeCdr(deps, mark, session, readings.get(session.uuid));
      // One that cannot be told keeps none of the others back.
      await made.catch((error: unknown) =>
        deps.log.error(
          { err: error, sessionId: session?.uuid },
          'a CDR could not be made; it is tried again',
        ),
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
    // Changed since it was read, or priced anew from now on: for the next round.
    if (billed?.version !== version || billed.partnerId !== partnerId || billed.isPricedAnew) return;
    await removeCdrMarks(transaction, mark);
    const { cost, isInReview } = billed;
    // The end of a review marks the session again.
    if (reading === undefined || cost === null || isInReview) return;
    const before = await findValidCdr<Cdr>(transaction, session.id);
    if (before?.sessionVersion === version && before.partnerId === partnerId) return;
    const at = new Date();
    if (before !== null) await credit(transaction, mark, before, at);
    const periods = chargingPeriods(session, at, meter);
    // What this partner was told of the place holds.
    const location = before?.partnerId === partnerId ? before.document.cdr_location : null;
    const priced = readCost(cost);
    const document = cdrObject(
      { ...reading, session, periods },
      { id: randomUUID(), cost: priced, location, at },
    );
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

/** One that is priced anew waits for that: its periods would be of other readings than its price. */
function isDue({ flags, invoiceNumber }: PartnerSession): boolean {
  return invoiceNumber !== null || !flags.includes(readingsLate);
}

/** Credits what a partner was told of a session that was its own when it was marked, and is no partner's now. */
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
