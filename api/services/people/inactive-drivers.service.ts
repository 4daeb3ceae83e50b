import { allNetworks } from '#shared/domain/access/tenancy.ts';
import { DomainError } from '#shared/domain/kernel/errors.ts';
import {
  findInactiveDrivers,
  type InactivityPolicy,
  lockInactiveDriver,
  lockUnnotifiedDriver,
  recordNotice,
  removeOutdatedNotices,
} from '#shared/postgres/people/inactive-drivers.statements.ts';
import { listMailsNotSentInTime } from '#shared/postgres/mail/mails.ts';
import { findUser } from '#shared/postgres/people/users.statements.ts';
import type { OwnActor } from '#api/services/access/audit.ts';
import type { ServiceDeps } from '#api/services/kernel/deps.ts';
import { queueMail } from '#api/services/mail/mails.ts';
import type { MailTransport } from '#api/services/mail/transport.ts';
import { deleteLockedUser } from './users.service.ts';

const by: OwnActor = { part: 'personal-data-retention' };

/**
 * Days between the queueing of the notice to an inactive driver and the deletion: 30 whole days after the delivery, which can take two
 * days, and the rest of the last of them.
 */
const noticeDays = 33;

const noticeKind = 'account-deletion';

const dayMs = 24 * 3_600_000;

type InactivityDeps = Pick<ServiceDeps, 'sql' | 'settings'> & {
  mailer: Pick<MailTransport, 'hasServer'>;
};

/** Drivers that a round looks at, and those that it notifies at most. */
interface RoundLimits {
  drivers: number;
  notices: number;
}

/** Result of a look at some drivers. */
interface InactiveRound {
  erased: number;
  notified: number;
  /** Id after which the next look begins; 0 after the last driver. */
  after: number;
}

/**
 * Looks at the next drivers after an id. Removes those that were inactive for the days of their network or of the installation, as
 * their deletion would. Where a mail server is set, they get an e-mail at least 30 days before. Any number of processes can do it.
 */
export async function reviewInactiveDrivers(
  deps: InactivityDeps,
  after: number,
  limits: RoundLimits,
): Promise<InactiveRound> {
  const { sql, settings, mailer } = deps;
  const policy: InactivityPolicy = {
    days: settings.retention.personalDays,
    noticeDays: mailer.hasServer ? noticeDays : null,
  };
  const { lastId, inactive, unnotified } = await findInactiveDrivers(sql, policy, after, limits.drivers);
  let [erased, notified] = [0, 0];
  for (const id of inactive) if (await eraseDriver(sql, policy, id)) erased += 1;
  for (const id of unnotified.slice(0, limits.notices)) {
    if (await notifyDriver(deps, policy, id)) notified += 1;
  }
  if (lastId !== null) {
    const unsent = await listMailsNotSentInTime(sql, noticeKind);
    await removeOutdatedNotices(sql, policy, after, lastId, unsent);
  }
  return { erased, notified, after: lastId ?? 0 };
}

/** Removes a driver who is still inactive. False: the driver became active, or has gone. */
async function eraseDriver(sql: ServiceDeps['sql'], policy: InactivityPolicy, id: number): Promise<boolean> {
  try {
    return await sql.begin(async (transaction) => {
      const uuid = await lockInactiveDriver(transaction, policy, id);
      const user =
        uuid === null ? null : await findUser(transaction, { networks: allNetworks, userId: null }, uuid);
      if (user === null) return false;
      await deleteLockedUser(transaction, by, user);
      return true;
    });
  } catch (error) {
    // A session began, or money came, after the search.
    if (error instanceof DomainError && error.code === 'USER_IN_USE') return false;
    throw error;
  }
}

/** Queues the e-mail that announces the deletion. False: the driver became active, or has it. */
function notifyDriver(deps: InactivityDeps, policy: InactivityPolicy, id: number): Promise<boolean> {
  return deps.sql.begin(async (transaction) => {
    const driver = await lockUnnotifiedDriver(transaction, policy, id);
    if (driver === null) return false;
    const { timeZone, ...addressee } = driver;
    // The deletion follows after this day, in any time zone.
    const keptUntil = new Date(Date.now() + (noticeDays - 1) * dayMs);
    const message = { kind: noticeKind, keptUntil, timeZone } as const;
    await recordNotice(transaction, id, await queueMail(deps, transaction, addressee, message));
    return true;
  });
}
