import type { CommandResult } from '#shared/domain/commands/commands.ts';
import { ensureIdToken } from '#shared/postgres/people/id-tokens.statements.ts';
import type { Actor, PartnerActor } from '#api/services/access/audit.ts';
import { positionIfAny } from '#api/services/commands/connector-position.ts';
import type { ChargerRecord } from '#api/services/fleet/chargers.service.ts';
import type { ServiceDeps } from '#api/services/kernel/deps.ts';
import { findChargingToken } from './remote-start-tokens.ts';
import { requestStart } from './remote-starts.service.ts';
import { limitsAt, type WantedLimits } from './session-limits.service.ts';

/** Token of a remote start whose operator names none. OCPP requires a token, and it has to be valid. */
export const operatorIdTag = 'OPERATOR';

/**
 * Requests a session from a charger for an operator. The driver whose token it is pays, and the wallet holds the network's
 * minimum balance.
 * @throws {DomainError} CONNECTOR_NOT_FOUND, ID_TOKEN_NOT_ACCEPTED, BALANCE_TOO_LOW, and what `send` throws.
 */
export async function startForOperator(
  deps: ServiceDeps,
  by: Actor,
  charger: ChargerRecord,
  wanted: { idTag: string; connectorNumber: number | null; limits: WantedLimits },
): Promise<CommandResult> {
  const { idTag, connectorNumber } = wanted;
  const position = await positionIfAny(deps, charger, connectorNumber);
  // The charger requests the authorization of the token when it starts: the operator's own must be stored.
  if (idTag === operatorIdTag) await ensureIdToken(deps.sql, charger.networkId, operatorIdTag);
  const token = await findChargingToken(deps, charger.networkId, idTag);
  const limits = await limitsAt(deps, { chargerId: charger.id, evse: position?.evse ?? null }, wanted.limits);
  const order = { charger, position, idToken: idTag, userId: token?.userId ?? null, limits };
  return (await requestStart(deps, by, order)).result;
}

/**
 * Requests a session from a charger for a roaming partner. The partner vouches for the token, so the token is not looked up
 * (OCPI 2.2.1 §13.3.5).
 * @throws {DomainError} CONNECTOR_NOT_FOUND, and what `send` throws.
 */
export async function startForPartner(
  deps: ServiceDeps,
  by: PartnerActor,
  charger: ChargerRecord,
  { idTag, connectorNumber }: { idTag: string; connectorNumber: number | null },
): Promise<CommandResult> {
  const position = await positionIfAny(deps, charger, connectorNumber);
  const order = { charger, position, idToken: idTag, userId: null, limits: null };
  return (await requestStart(deps, by, order)).result;
}
