import { randomUUID } from 'node:crypto';
import type { CommandEffect, RemoteStartAsked } from '#shared/domain/commands/command-effects.ts';
import { connectionTimeoutMs } from '#shared/domain/charging/remote-start.ts';
import { hashSecret } from '#shared/domain/kernel/secrets.ts';
import type { Clock } from '#shared/domain/kernel/system-clock.ts';
import type { Sql } from '#shared/postgres/kernel/client.ts';
import {
  cancelReservation,
  changeDynamicLimit,
  clearChargingProfiles,
  storeChargingProfile,
  storeLocalListVersion,
  storeReservation,
  storeWantedAvailability,
} from '#shared/postgres/commands/command-effects.statements.ts';
import { addPendingPassword, dropPendingPassword } from '#shared/postgres/commands/charger-passwords.ts';
import { insertRemoteStart, refuseRemoteStart } from '#shared/postgres/charging/remote-starts.statements.ts';
import {
  insertFirmwareUpdate,
  insertLogUpload,
  nameLogFile,
  refuseTransfer,
} from '#shared/postgres/commands/requested-transfers.ts';
import { storePriorityCharging } from '#shared/postgres/charging/station-transactions.statements.ts';
import { adjustEventStream } from '#shared/postgres/commands/event-streams.statements.ts';
import { certificateDeleted, certificateInstalled } from './certificates.ts';
import { storeReportedStreams, storeTakenMonitors } from './monitoring.ts';
import { storeTakenVariables } from './variables.ts';

interface EffectContext {
  sql: Sql;
  clock: Pick<Clock, 'now'>;
}

/** Effect to store after the charger's answer. A charger that does not answer may have accepted. */
interface OpenEffect {
  accepted(answer: unknown): Promise<void>;
  /** `answer`: null without one, after an error of the charger's. A charger may take a part of what it refuses. */
  refused(answer: unknown): Promise<void>;
}

/**
 * Stores the part of a command's effect that must exist before the charger receives it: its reports on a session, an
 * update or an upload may arrive before its answer is processed. `accepted` stores the rest.
 * @param timeoutMs time for the charger to answer.
 */
export async function openEffect(
  context: EffectContext,
  chargerId: number,
  effect: CommandEffect,
  timeoutMs: number,
): Promise<OpenEffect> {
  const { sql } = context;
  switch (effect.type) {
    case 'remote-start': {
      const uuid = effect.startUuid ?? (await storeRemoteStart(context, chargerId, effect, timeoutMs));
      return { accepted: nothing, refused: () => refuseRemoteStart(sql, uuid) };
    }
    case 'firmware-update': {
      const id = await insertFirmwareUpdate(sql, chargerId, effect);
      return { accepted: nothing, refused: () => refuseTransfer(sql, 'firmware_updates', id) };
    }
    case 'log': {
      const id = await insertLogUpload(sql, chargerId, effect);
      return {
        async accepted(answer) {
          const fileName = fileNameOf(answer);
          if (fileName !== null) await nameLogFile(sql, id, fileName);
        },
        refused: () => refuseTransfer(sql, 'log_uploads', id),
      };
    }
    case 'variables-sent': {
      const { password, variables } = effect;
      const sent = password === null ? null : await openEffect(context, chargerId, password, timeoutMs);
      const store = (answer: unknown) => storeTakenVariables(sql, chargerId, variables, answer);
      return {
        async accepted(answer) {
          await store(answer);
          await sent?.accepted(answer);
        },
        async refused(answer) {
          await store(answer);
          await sent?.refused(answer);
        },
      };
    }
    case 'monitors-set': {
      const store = (answer: unknown) => storeTakenMonitors(sql, chargerId, effect.monitors, answer);
      return { accepted: store, refused: store };
    }
    case 'event-streams-requested': {
      const at = new Date(context.clock.now());
      return { accepted: (answer) => storeReportedStreams(sql, chargerId, answer, at), refused: nothing };
    }
    case 'password-sent': {
      const hash = hashSecret(comparable(effect.password));
      await addPendingPassword(sql, chargerId, hash);
      const drop = () => dropPendingPassword(sql, chargerId, hash);
      return { accepted: nothing, refused: effect.isAlone ? drop : nothing };
    }
    default:
      return { accepted: () => storeAccepted(sql, chargerId, effect), refused: nothing };
  }
}

async function storeRemoteStart(
  { sql, clock }: EffectContext,
  chargerId: number,
  { idToken, evse, remoteStartId }: RemoteStartAsked,
  timeoutMs: number,
): Promise<string> {
  const expiresAt = new Date(clock.now() + timeoutMs + connectionTimeoutMs);
  const start = { uuid: randomUUID(), chargerId, idToken, evse, remoteStartId, limits: null, expiresAt };
  return (await insertRemoteStart(sql, start)).uuid;
}

type SimpleEffect = Exclude<
  CommandEffect,
  {
    type:
      | 'remote-start'
      | 'firmware-update'
      | 'log'
      | 'password-sent'
      | 'variables-sent'
      | 'monitors-set'
      | 'event-streams-requested';
  }
>;

async function storeAccepted(sql: Sql, chargerId: number, effect: SimpleEffect): Promise<void> {
  switch (effect.type) {
    case 'reservation':
      return storeReservation(sql, chargerId, effect);
    case 'reservation-cancelled':
      return cancelReservation(sql, chargerId, effect.reservationId);
    case 'local-list-sent':
      return storeLocalListVersion(sql, chargerId, effect.version);
    case 'charging-profile':
      return storeChargingProfile(sql, chargerId, effect);
    case 'charging-profiles-cleared':
      return clearChargingProfiles(sql, chargerId, effect);
    case 'availability':
      return storeWantedAvailability(sql, chargerId, effect);
    case 'certificate-installed':
      return certificateInstalled(sql, chargerId, effect);
    case 'certificate-deleted':
      return certificateDeleted(sql, chargerId, effect);
    case 'dynamic-limit':
      return changeDynamicLimit(sql, chargerId, effect);
    case 'priority-charging':
      return storePriorityCharging(sql, { id: chargerId, ...effect }, new Date());
    case 'event-stream-adjusted':
      return adjustEventStream(sql, chargerId, effect);
  }
}

/** Returns a password in comparable form. Chargers of 1.6 send a hexadecimal key as bytes, which have no case. */
function comparable(password: string): string {
  return /^[0-9a-f]+$/i.test(password) ? password.toLowerCase() : password;
}

async function nothing(): Promise<void> {}

/** Returns the file name of an answer: GetDiagnostics sends `fileName`, GetLog `filename`. */
function fileNameOf(answer: unknown): string | null {
  const { fileName, filename = fileName } = answer as { fileName?: string; filename?: string };
  return filename ?? null;
}
