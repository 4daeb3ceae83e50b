import { readMeterKey } from '#shared/domain/charging/meter-key.ts';
import { registerMeterKey } from '#shared/postgres/fleet/meter-keys.statements.ts';
import type { Rig } from './rig.ts';

export const minute = 60_000;
/** Start of the sessions, ms since 1970. */
export const begin = Date.now() - 60 * minute;
/** Time in minutes after the start. */
export const at = (minutes: number) => new Date(begin + minutes * minute).toISOString();

interface SessionRow {
  id: bigint;
  state: string;
  signedWh: number | null;
  price: string;
  flags: string[];
}

/** Returns the session of a transaction. */
export async function sessionOf({ stores }: Rig, transactionId: number | string): Promise<SessionRow> {
  const [row] = await stores.sql<SessionRow[]>`
    select id, signature_state as state, signed_energy_wh as "signedWh", price_state as price, flags
    from sessions where ocpp_transaction_id = ${String(transactionId)}`;
  if (row === undefined) throw new Error(`no session of ${transactionId}`);
  return row;
}

/** Registers the key of a meter for a charger. */
export async function register(
  { stores }: Rig,
  chargerId: number,
  publicKey: string,
  connectorId: number | null = null,
) {
  const key = readMeterKey(publicKey);
  const registered = key === null ? null : await registerMeterKey(stores.sql, chargerId, connectorId, key);
  if (registered === null) throw new Error('the key was not registered');
  return registered;
}
