import { allNetworks } from '#shared/domain/access/tenancy.ts';
import { DomainError } from '#shared/domain/kernel/errors.ts';
import { findInactiveDrivers, lockInactiveDriver } from '#shared/postgres/people/inactive-drivers.ts';
import { findUser } from '#shared/postgres/people/users.ts';
import type { OwnActor } from '#api/services/access/audit.ts';
import type { ServiceDeps } from '#api/services/kernel/deps.ts';
import { deleteLockedUser } from './users.ts';

const by: OwnActor = { part: 'personal-data-retention' };

/** Result of a look at some drivers. */
export interface InactiveRound {
  erased: number;
  /** Id after which the next look begins; 0 after the last driver. */
  after: number;
}

/**
 * Looks at the next `limit` drivers after an id, and removes those that were inactive for the days of their network or of the
 * installation, as their deletion would. Any number of processes can do it.
 */
export async function eraseInactiveDrivers(
  { sql, settings }: Pick<ServiceDeps, 'sql' | 'settings'>,
  after: number,
  limit: number,
): Promise<InactiveRound> {
  const days = settings.retention.personalDataDays;
  const { lastId, inactive } = await findInactiveDrivers(sql, days, after, limit);
  let erased = 0;
  for (const id of inactive) {
    if (await eraseDriver(sql, days, id)) erased += 1;
  }
  return { erased, after: lastId ?? 0 };
}

/** Removes a driver who is still inactive. False: the driver became active, or has gone. */
async function eraseDriver(sql: ServiceDeps['sql'], days: number | null, id: number): Promise<boolean> {
  try {
    return await sql.begin(async (transaction) => {
      const uuid = await lockInactiveDriver(transaction, days, id);
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
