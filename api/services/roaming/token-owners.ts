import { type Actor, auditChange } from '#api/services/access/audit.ts';
import type { Caller } from '#api/services/access/callers.ts';
import type { RoamingDeps } from './deps.ts';
import { networkForNew, networksOfCall } from '#api/services/access/networks.service.ts';
import { DomainError } from '#shared/domain/kernel/errors.ts';
import { type Party, partyName } from '#shared/domain/roaming/ocpi.ts';
import { onlyNetworks } from '#shared/domain/access/tenancy.ts';
import {
  chooseOwner,
  type ClaimedToken,
  findUidOwner,
  listTokensWithUid,
} from '#shared/postgres/roaming/ocpi-token-owners.ts';

export type { ClaimedToken } from '#shared/postgres/roaming/ocpi-token-owners.ts';

/**
 * Lists the tokens of roaming partners with a uid, the owner of the uid first.
 * @throws {DomainError} NETWORK_NOT_FOUND.
 */
export async function listPartnerTokensWithUid(
  deps: RoamingDeps,
  caller: Caller,
  networkUuid: string | undefined,
  uid: string,
): Promise<ClaimedToken[]> {
  return listTokensWithUid(deps.sql, await networksOfCall(deps, caller, networkUuid), uid);
}

/**
 * Makes a party the owner of a uid: its token authorizes the card from now on, whichever party's was known first.
 * @throws {DomainError} NETWORK_NOT_FOUND, VALIDATION_FAILED, ID_TOKEN_NOT_FOUND.
 */
export async function chooseUidOwner(
  deps: RoamingDeps,
  by: Actor,
  choice: Party & { networkUuid: string | undefined; uid: string },
): Promise<ClaimedToken[]> {
  const network = await networkForNew(deps, by.caller, choice.networkUuid);
  const { uid } = choice;
  return deps.sql.begin(async (transaction) => {
    const before = await findUidOwner(transaction, network.id, uid);
    if (!(await chooseOwner(transaction, network.id, uid, choice))) {
      const message = `The party ${partyName(choice)} has no token with the uid ${uid} in this network.`;
      throw new DomainError('ID_TOKEN_NOT_FOUND', message);
    }
    await auditChange(transaction, by, {
      networkId: network.id,
      category: 'ocpi-token',
      action: 'choose-owner',
      resourceId: uid,
      resourceName: uid,
      before: before && { owner: partyName(before) },
      after: { owner: partyName(choice) },
    });
    return listTokensWithUid(transaction, onlyNetworks([network.id]), uid);
  });
}
