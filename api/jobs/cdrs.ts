import { randomUUID } from 'node:crypto';
import type { ServiceDeps } from '#api/services/deps.ts';
import { sessionReadings } from '#api/services/sessions.ts';
import type { Logger } from '#shared/log/log.ts';
import {
  type CdrMark,
  findValidCdr,
  insertCdr,
  listCdrMarks,
  lockBilledSession,
  removeCdrMarks,
} from '#shared/postgres/cdrs.ts';
import { readCost } from '#shared/postgres/cost.ts';
import { type PartnerSession, readPartnerSessions } from '#shared/postgres/ocpi-sessions.ts';
import type { UsageReading } from '#shared/pricing/usage.ts';
import { chargingPeriods, periodReadings } from '#api/services/ocpi/charging-periods.ts';
import { type Cdr, cdrObject, creditOf } from '#api/services/ocpi/wire/cdr.ts';

type Deps = Pick<ServiceDeps, 'sql' | 'clickhouse'> & { log: Logger };

const marksAtOnce = 50;
const everyReading = 1;

/**
 * Makes the CDRs of partners' sessions that have ended and have their price; one that was put right since is credited and
 * told anew (OCPI 2.2.1 §10.1.1). What is due was marked in the transaction of the session's end, and stays so until it is
 * made. Any number of processes may run this.
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
    const readings = await periodReadings(deps, sessions, new Date(), everyReading);
    if (readings === null) return;
    for (const mark of marks) {
      const session = sessions.find(({ id }) => id === mark.sessionId);
      // One that cannot be told keeps none of the others back.
      await makeCdr(deps, mark, session, readings.get(session?.uuid ?? '')).catch((error: unknown) =>
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
  session: PartnerSession | undefined,
  meter: readonly UsageReading[] | undefined,
): Promise<void> {
  if (session === undefined) throw new Error("a session with a mark is no partner's");
  const [reading] = await sessionReadings(deps, [session]);
  await deps.sql.begin(async (transaction) => {
    const billed = await lockBilledSession(transaction, mark.sessionId);
    // Changed since it was read: its new mark is for the next round.
    if (billed?.version !== session.version) return;
    // Its periods would be of other readings than its price.
    if (billed.isPricedAnew) return;
    await removeCdrMarks(transaction, mark);
    const { cost } = billed;
    if (reading === undefined || cost === null) return;
    const before = await findValidCdr<Cdr>(transaction, session.id);
    if (before?.sessionVersion === session.version) return;
    const at = new Date();
    const owner = { networkId: session.networkId, partnerId: session.partnerId, sessionId: session.id, at };
    if (before !== null) {
      const document = creditOf(before.document, at);
      await insertCdr(transaction, {
        ...before,
        ...owner,
        ocpiId: document.id,
        creditsId: before.id,
        totalExclVatMinor: -before.totalExclVatMinor,
        totalInclVatMinor: -before.totalInclVatMinor,
        document,
      });
    }
    const periods = chargingPeriods(session, at, meter);
    const location = before?.document.cdr_location ?? null;
    const priced = readCost(cost);
    const document = cdrObject(
      { ...reading, session, periods },
      { id: randomUUID(), cost: priced, location, at },
    );
    await insertCdr(transaction, {
      ...owner,
      ocpiId: document.id,
      sessionVersion: session.version,
      creditsId: null,
      currency: priced.currency,
      totalExclVatMinor: priced.totalExclVatMinor,
      totalInclVatMinor: priced.totalInclVatMinor,
      document,
    });
  });
}
