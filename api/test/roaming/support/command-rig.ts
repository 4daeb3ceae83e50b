import type { Test } from 'tap';
import { startQueuedJobs } from '#api/test/support/queued-jobs.ts';
import { accepted, holdCharger, startTestApi, type TestApi } from '#api/test/support/fixtures.ts';
import type { CommandReply, CommandRequest } from '#shared/domain/commands/commands.ts';
import type { Sql } from '#shared/postgres/kernel/client.ts';
import { cancelReservation, storeReservation } from '#shared/postgres/commands/command-effects.statements.ts';
import { type Emsp, startEmsp } from './emsp.ts';
import { ocpi, registerEmsp } from './partner.ts';
import { seedPlace, type SeededPlace } from './place.ts';

/** An app's token, as a partner sends it. */
export const token = { uid: 'APP-1', type: 'APP_USER', contract_id: 'DE8ACC12E46L89' };
export const inAnHour = () => new Date(Date.now() + 3_600_000).toISOString();

/** Returns the reply of a shard for a charger that answered with this status. */
export function says(status: string, isAccepted = false, more: object = {}): CommandReply {
  const result = { accepted: isAccepted, status, payload: {}, transactionId: null, ...more };
  return { ...accepted, result } as never;
}

type Reply = CommandReply | ((request: CommandRequest) => Promise<CommandReply>);

/** API with a registered partner, and a charger that gives the answers set here. */
export interface CommandRig {
  api: TestApi;
  emsp: Emsp;
  partner: string;
  place: SeededPlace;
  taken: CommandRequest[];
  /** Sets the answer of the charger from now on. */
  answer: (reply: Reply) => void;
  /** Sends a command of the documented surface. */
  send(command: string, id: string, body: object, as?: string): Promise<Sent>;
  /** The result that the partner gets for it. */
  result(id: string): Promise<object>;
  read(id: string): Promise<object>;
}

interface Sent {
  status: number;
  json: Record<string, unknown>;
}

export async function startRig(t: Test): Promise<CommandRig> {
  const api = await startTestApi(t);
  const emsp = await startEmsp(t);
  const { token: partner } = await registerEmsp(api, emsp);
  const place = await seedPlace(api.stores.sql, api.network.id);
  let reply: Reply = accepted;
  const taken = await holdCharger(api, place.charger.uid, (request) =>
    typeof reply === 'function' ? reply(request) : reply,
  );
  startQueuedJobs(t, api.deps);
  return {
    api,
    emsp,
    partner,
    place,
    taken,
    answer: (next) => {
      reply = next;
    },
    send: (command, id, body, as = partner) =>
      ocpi(api, as, {
        method: 'POST',
        url: `/ocpi/cpo/2.2/commands/${command}/${id}`,
        payload: { response_url: `${emsp.url}/results/${id}`, ...body },
      }),
    result: async (id) => (await emsp.next('POST', `/results/${id}`)).body,
    read: async (id) =>
      (await ocpi(api, partner, { url: `/ocpi/cpo/2.2/commands/${id}` })).json['data'] ?? {},
  };
}

/** A charger that reserves whatever it is asked to; what it accepts is stored by the shard that asked it. */
export function keepsReservations(
  sql: Sql,
  chargerId: number,
): (request: CommandRequest) => Promise<CommandReply> {
  return async ({ command }) => {
    if (command.type === 'reserve-now') {
      const { reservationId, expiresAt, token } = command;
      await storeReservation(sql, chargerId, {
        type: 'reservation',
        reservationId,
        evse: 1,
        idToken: token.idToken,
        groupIdToken: null,
        expiresAt,
      });
    }
    if (command.type === 'cancel-reservation') {
      await cancelReservation(sql, chargerId, command.reservationId);
    }
    return accepted;
  };
}

/** Immediate response to an accepted request. */
export const saidYes = {
  status: 200,
  json: { status_code: 1000, data: { result: 'ACCEPTED', timeout: 60 } },
};
