import { randomUUID } from 'node:crypto';
import type { CommandReply, CommandRequest } from '#shared/domain/commands/commands.ts';
import { bindRemoteStart } from '#shared/postgres/charging/remote-starts.statements.ts';
import { insertSession } from '#shared/postgres/charging/session-writes/start.statements.ts';
import { seedCharger, seedToken } from '#shared/testing/seed.ts';
import { accepted, holdCharger, type Json, mintKey, register, type TestApi } from './fixtures.ts';
import { answered } from './held-charger.ts';
import { addLocation } from './records.ts';

/** A public charger that drivers see, which answers as `reply` says. */
export async function publicCharger(
  api: TestApi,
  reply: (request: CommandRequest) => CommandReply | Promise<CommandReply> = () => accepted,
  connectors = 1,
) {
  const { sql } = api.stores;
  const charger = await seedCharger(sql, api.network.id, { connectors });
  const location = await addLocation(sql, api.network.id);
  await sql`update chargers set location_id = ${location.id}, is_public = true where id = ${charger.id}`;
  await sql`update connectors set status = 'Available' where charger_id = ${charger.id}`;
  const taken = await holdCharger(api, charger.uid, reply);
  return { ...charger, location, taken };
}

/** Asks for something of /charging. */
export const post = (api: TestApi, key: string | null, path: string, payload: object, headers = {}) =>
  api.call(key, { method: 'POST', url: `/emsp/v1/charging/${path}`, payload, headers });

/** Casts a value of an answer to a text. */
export const text = (json: Json | undefined) => json as unknown as string;
/** Returns the expected form of an error. */
export const refusal = (code: string, status = 400) => ({ status, json: { code } });
export const rejected = answered({ accepted: false, status: 'Rejected' });

/** The session of a start begins, as the gateway tells it. */
export async function beginSession(api: TestApi, charger: { id: number }, start: Json, userId: number) {
  const { sql } = api.stores;
  const now = new Date();
  const idToken = text(start['idTag']);
  const session = await insertSession(sql, {
    chargerId: charger.id,
    networkId: api.network.id,
    start: {
      position: { evse: Number(start['connectorNumber']), connector: 1 },
      idToken,
      transactionId: null,
      startedAt: now,
      receivedAt: now,
      meterStartWh: 1000,
      remoteStartId: null,
      flags: [],
    },
    startKey: randomUUID(),
    idTokenId: null,
    userId,
    authorizationStatus: 'Accepted',
    roaming: null,
  });
  const evse = Number(start['connectorNumber']);
  await bindRemoteStart(sql, charger.id, { uuid: session.uuid, idToken, evse, remoteStartId: null });
  return { ...session, chargerId: charger.id };
}

/** An operator's starts at one charger, each with a card of its own for a driver. `reply`: the answer of the charger. */
export async function operatorStarts(api: TestApi, reply: () => CommandReply = () => accepted) {
  const { sql } = api.stores;
  const operator = await mintKey(api);
  const { id } = await register(api, operator, { serial: 'CP-1' });
  const taken = await holdCharger(api, 'CP-1', reply);
  const url = `/cpms/v1/chargers/${id}/remote-start`;
  const start = async (userId: number) => {
    const idTag = await seedToken(sql, api.network.id, { userId });
    return api.call(operator, { method: 'POST', url, payload: { idTag } });
  };
  return { operator, chargerUuid: id, taken, start };
}

/** Binds a session to the remote start that a charger received, as the gateway does. */
export async function answerStart(
  { stores: { sql } }: TestApi,
  session: { uuid: string; chargerId: number },
  request: CommandRequest | undefined,
) {
  if (request?.command.type !== 'remote-start') throw new Error('no session was requested');
  const { idToken, remoteStartId } = request.command;
  await bindRemoteStart(sql, session.chargerId, { uuid: session.uuid, idToken, evse: 1, remoteStartId });
}
