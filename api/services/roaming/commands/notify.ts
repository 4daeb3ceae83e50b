import { enqueue } from '#shared/postgres/kernel/jobs.statements.ts';
import type { RoamingDeps } from '#api/services/roaming/deps.ts';
import { ourRole } from '#api/services/roaming/our-credentials.ts';
import { isWithheld } from '#api/services/roaming/own-parties.ts';
import {
  addressedFor,
  callPartner,
  isSuccess,
  isUndelivered,
  type PartnerCall,
} from '#api/services/roaming/partner-calls.ts';
import { OutboundError } from '#api/services/access/outbound.ts';
import { serializerFor } from '#api/services/roaming/wire/serializer.ts';
import { ocpiStatus, type PartyOnWire } from '#shared/domain/roaming/ocpi.ts';
import { onlyNetworks } from '#shared/domain/access/tenancy.ts';
import { noteChargingChanges } from '#shared/postgres/roaming/charging-changes.ts';
import {
  claimCancellations,
  findPendingResult,
  recordDelivery,
} from '#shared/postgres/roaming/ocpi-commands.ts';
import { findPartner } from '#shared/postgres/roaming/ocpi-partners.statements.ts';

/** A partner that takes longer than this (ms) to take a result gets it again later. */
const resultTimeoutMs = 5000;

/**
 * Sends a partner the outcome of its request, or the end of its reservation by another party.
 * @throws {Error} when the partner did not accept it: it must be sent again.
 */
export async function sendResult(
  deps: RoamingDeps,
  uuid: string,
  about: 'result' | 'cancellation',
): Promise<void> {
  const command = await findPendingResult(deps.sql, uuid);
  if (command === null) return;
  const { networkId, partnerUuid, party, responseUrl, type, correlationId, ocpiVersion } = command;
  const body = serializerFor(ocpiVersion).requestResult(command, about);
  if (body === null) return;
  const refusal = await callRegistered(
    deps,
    { networkId, partnerUuid, party },
    {
      module: type.endsWith('_PROFILE') ? 'chargingprofiles' : 'commands',
      method: 'POST',
      url: responseUrl,
      body,
      correlationId: correlationId ?? undefined,
      timeoutMs: resultTimeoutMs,
    },
  );
  await recordDelivery(deps.sql, uuid, refusal?.reason ?? null);
  if (refusal?.isWorthRepeating === true) {
    throw new Error(`the partner did not take a result: ${refusal.reason}`);
  }
}

/** Queues the notifications of partners whose reservations were ended by others. */
export async function queueCancellations({ sql }: RoamingDeps): Promise<void> {
  await noteChargingChanges(sql);
  await sql.begin(async (transaction) => {
    for (const uuid of await claimCancellations(transaction, 100)) {
      await enqueue(transaction, 'ocpi-result', { uuid, about: 'cancellation' });
    }
  });
}

/** Reason why a notification failed, and whether a repetition can succeed. Null: it was delivered. */
type Refusal = { reason: string; isWorthRepeating: boolean } | null;

/** Party of a partner that receives a notification. Null: the party that the partner is registered as. */
interface NotifiedParty {
  networkId: number;
  partnerUuid: string;
  party: PartyOnWire | null;
}

/** Calls a partner while it is registered. */
export async function callRegistered(
  deps: RoamingDeps,
  { networkId, partnerUuid, party }: NotifiedParty,
  call: PartnerCall,
): Promise<Refusal> {
  const partner = await findPartner(deps.sql, onlyNetworks([networkId]), partnerUuid);
  if (partner?.status !== 'REGISTERED') {
    return { reason: 'the partner is not registered', isWorthRepeating: false };
  }
  if (isWithheld(partner, party)) {
    return { reason: 'the partner is no longer the hub of the party', isWorthRepeating: false };
  }
  const from = await ourRole(deps, networkId);
  try {
    const addressed = addressedFor(partner, party);
    const answer = await callPartner(deps, { ...addressed, from }, call);
    if (isSuccess(answer)) return null;
    const { httpStatus, statusCode } = answer;
    const reason = `HTTP ${httpStatus}, status_code ${statusCode ?? 'none'}`;
    const isTemporary =
      isUndelivered(partner, addressed, answer) && statusCode !== ocpiStatus.unknownReceiver;
    return { reason, isWorthRepeating: isTemporary || httpStatus >= 500 || httpStatus === 429 };
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    const { fault, message } = error;
    return { reason: `${fault}: ${message}`, isWorthRepeating: fault !== 'address-refused' };
  }
}
