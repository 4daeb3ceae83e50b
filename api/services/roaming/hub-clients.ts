import type { Caller } from '#api/services/access/callers.ts';
import { cutById, decodeIdCursor } from '#api/services/kernel/cursors.ts';
import { DomainError } from '#shared/domain/kernel/errors.ts';
import type { ClientStatus, HubClient } from '#shared/domain/roaming/hub-client.ts';
import { partyName, type PartyOnWire } from '#shared/domain/roaming/ocpi.ts';
import {
  findClientStatus,
  findHubClient,
  listHubClients,
  type ListedHubClient,
  upsertHubClients,
} from '#shared/postgres/roaming/ocpi-hub-clients.statements.ts';
import { wakeDeferred } from '#shared/postgres/roaming/ocpi-changes.ts';
import { endLostRights } from '#shared/postgres/roaming/ocpi-partner-rights.ts';
import type { RoamingDeps } from './deps.ts';
import { partyOf } from './own-parties.ts';
import { partners } from './partner-audit.ts';
import type { PartnerRecord } from './partners.service.ts';
import { invalid } from './wire/date-time.ts';

export type { ListedHubClient } from '#shared/postgres/roaming/ocpi-hub-clients.statements.ts';

type Deps = Pick<RoamingDeps, 'sql'>;

/**
 * Returns the state in which a party can be reached. CONNECTED also without a party, at a partner that is no hub, and before the hub
 * has reported the party.
 */
export async function clientStateOf(
  { sql }: Deps,
  { id, hubParties }: Pick<PartnerRecord, 'id' | 'hubParties'>,
  party: PartyOnWire | undefined,
): Promise<ClientStatus> {
  if (hubParties === null || party === undefined) return 'CONNECTED';
  return (await findClientStatus(sql, id, partyOf(party))) ?? 'CONNECTED';
}

/**
 * Stops a token of a party that its hub reports as SUSPENDED: what it charges could not be billed.
 * @throws {DomainError} VALIDATION_FAILED (2001).
 */
export async function requireActive(deps: Deps, partner: PartnerRecord, party: PartyOnWire): Promise<void> {
  if ((await clientStateOf(deps, partner, party)) !== 'SUSPENDED') return;
  throw invalid('party_id', `must not be SUSPENDED: ${partyName(partyOf(party))} is, by your hubclientinfo`);
}

/**
 * Returns a client of the calling hub as it is stored.
 * @throws {DomainError} OCPI_CLIENT_NOT_FOUND.
 */
export async function readHubClient(
  { sql }: Deps,
  hub: PartnerRecord,
  path: PartyOnWire,
): Promise<HubClient> {
  const party = partyOf(path);
  const client = await findHubClient(sql, hub.id, party);
  if (client === null) throw new DomainError('OCPI_CLIENT_NOT_FOUND', `You reported no ${partyName(party)}.`);
  return client;
}

/**
 * Stores the state of a client that its hub reports. An older report changes nothing.
 * @throws {DomainError} OCPI_WRITE_NOT_GRANTED when the partner is no hub; VALIDATION_FAILED (2001) when the path names another
 * party than the body.
 */
export async function putHubClient(
  deps: Deps,
  hub: PartnerRecord,
  path: PartyOnWire,
  client: HubClient,
): Promise<void> {
  if (hub.hubParties === null) {
    throw new DomainError('OCPI_WRITE_NOT_GRANTED', 'The operator has not marked this partner as a hub.');
  }
  if (partyName(partyOf(path)) !== partyName(client)) {
    throw invalid('party_id', 'must be the same in the path and in the body');
  }
  await storeHubClients(deps, hub.id, [client]);
}

/**
 * Stores clients of a hub, each of which may come once. CDRs that waited for a client are due when it is connected again. The
 * reservations of a suspended client are removed.
 */
export async function storeHubClients(
  { sql }: Deps,
  partnerId: number,
  clients: readonly HubClient[],
): Promise<void> {
  const back = await sql.begin(async (transaction) => {
    const connected = await upsertHubClients(transaction, partnerId, clients);
    if (clients.some(({ status }) => status === 'SUSPENDED')) await endLostRights(transaction, partnerId);
    return connected;
  });
  if (back.length > 0) await wakeDeferred(sql, partnerId, back);
}

/**
 * Returns one page of the clients that a hub reported.
 * @throws {DomainError} PARTNER_NOT_FOUND, VALIDATION_FAILED.
 */
export async function listClientsOfHub(
  { sql }: Deps,
  caller: Caller,
  uuid: string,
  { cursor, limit }: { cursor: string | undefined; limit: number },
): Promise<{ rows: ListedHubClient[]; nextCursor: string | null }> {
  const after = decodeIdCursor(cursor);
  const { id } = await partners.require(sql, caller.networks, uuid);
  return cutById(await listHubClients(sql, id, after, limit + 1), limit);
}
