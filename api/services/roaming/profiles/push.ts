import { enqueue } from '#shared/postgres/kernel/jobs.statements.ts';
import { readCompositeSchedule } from '#api/services/charging/charging-profiles.service.ts';
import type { RoamingDeps } from '#api/services/roaming/deps.ts';
import { chargerOf } from '#api/services/roaming/commands/perform.ts';
import { callRegistered } from '#api/services/roaming/commands/notify.ts';
import { activeProfile } from '#api/services/roaming/wire/v221/active-profile.ts';
import { onlyNetworks } from '#shared/domain/access/tenancy.ts';
import { findPartner, listPartnerEndpoints } from '#shared/postgres/roaming/ocpi-partners.statements.ts';
import { noteChargingChanges } from '#shared/postgres/roaming/charging-changes.ts';
import { claimChangedProfiles, findWatchedSession } from '#shared/postgres/roaming/ocpi-profiles.ts';

/** Time covered by the profiles sent to partners: between 5 and 60 minutes (OCPI 2.2.1 §14.4.2.4). */
const aheadSeconds = 30 * 60;

/** Queues the sessions whose partners must receive the charging profile in effect. */
export async function queueChangedProfiles({ sql }: RoamingDeps): Promise<void> {
  await noteChargingChanges(sql);
  await sql.begin(async (transaction) => {
    for (const sessionUuid of await claimChangedProfiles(transaction, 100)) {
      await enqueue(transaction, 'ocpi-active-profile', { sessionUuid });
    }
  });
}

/**
 * Reads the charging profile in effect for a session from the charger and sends it to the partner
 * (§14.4.2.4), which must have an endpoint for it.
 * @throws {Error} when the charger did not report it, or the partner did not accept it: to be tried again.
 */
export async function pushActiveProfile(deps: RoamingDeps, sessionUuid: string): Promise<void> {
  const session = await findWatchedSession(deps.sql, sessionUuid);
  if (session === null) return;
  const { networkId, partnerUuid, chargerUuid, connectorNumber } = session;
  const partner = await findPartner(deps.sql, onlyNetworks([networkId]), partnerUuid);
  if (partner === null) return;
  const endpoints = (await listPartnerEndpoints(deps.sql, partner.id)).filter(
    ({ identifier }) => identifier === 'chargingprofiles',
  );
  // The partner's side is the sender's (§14.4.2); some name it otherwise.
  const endpoint = endpoints.find(({ role }) => role === 'SENDER') ?? endpoints[0];
  if (endpoint === undefined) return;
  const by = { part: 'ocpi' };
  const charger = await chargerOf(deps, networkId, chargerUuid);
  const asked = { connectorNumber, durationSeconds: aheadSeconds, rateUnit: null };
  const { schedule } = await readCompositeSchedule(deps, by, charger, asked);
  if (schedule === null) throw new Error('the charger did not say which charging profile is active');
  const refusal = await callRegistered(deps, session, {
    module: 'chargingprofiles',
    method: 'PUT',
    url: `${endpoint.url.replace(/\/$/, '')}/${session.uuid}`,
    body: activeProfile(schedule, new Date()),
  });
  if (refusal?.isWorthRepeating === true) {
    throw new Error(`the partner did not take an active charging profile: ${refusal.reason}`);
  }
}
