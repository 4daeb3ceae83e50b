import {
  clearChargingProfiles,
  readCompositeSchedule,
  setChargingProfile,
} from '#api/services/charging/charging-profiles.service.ts';
import type { RoamingDeps } from '#api/services/roaming/deps.ts';
import { chargerOf, type Principal } from '#api/services/roaming/commands/perform.ts';
import { activeProfile } from '#api/services/roaming/wire/v221/active-profile.ts';
import { DomainError } from '#shared/domain/kernel/errors.ts';
import type { PartnerTask, ProfileResultType } from '#shared/domain/roaming/ocpi-command.ts';
import type { CommandOutcome } from '#shared/postgres/roaming/ocpi-commands.ts';
import { findRunningSession } from '#shared/postgres/roaming/ocpi-places.ts';
import {
  acceptSessionProfile,
  ensureSessionProfile,
  findSessionProfile,
} from '#shared/postgres/roaming/ocpi-profiles.ts';
import { chargingProfile } from './accept.ts';

type ProfileTask = Extract<PartnerTask, { type: `${string}_PROFILE` }>;

/**
 * Executes a partner's request about a charging profile at the charger and returns its outcome (OCPI 2.2.1
 * §14.6.6).
 */
export async function performProfileTask(
  deps: RoamingDeps,
  principal: Principal,
  task: ProfileTask,
): Promise<CommandOutcome> {
  try {
    return await perform(deps, principal, task);
  } catch (error) {
    if (error instanceof DomainError) return said('REJECTED', error.code);
    throw error;
  }
}

async function perform(deps: RoamingDeps, principal: Principal, task: ProfileTask): Promise<CommandOutcome> {
  const { by } = principal;
  const charger = await chargerOf(deps, principal.networkId, task.chargerUuid);
  switch (task.type) {
    case 'GET_PROFILE': {
      const connectorNumber = await connectorOf(deps, task.sessionUuid);
      const { durationSeconds } = task;
      const asked = { connectorNumber, durationSeconds, rateUnit: null };
      const { sent, schedule } = await readCompositeSchedule(deps, by, charger, asked);
      if (!sent.accepted || schedule === null) return said('REJECTED', sent.status);
      return { ...said('ACCEPTED', null), profile: activeProfile(schedule, new Date()) };
    }
    case 'SET_PROFILE': {
      const { accepted, status } = await setChargingProfile(deps, by, charger, {
        ...chargingProfile(task.profile),
        profileId: await ensureSessionProfile(deps.sql, task.sessionUuid),
        connectorNumber: await connectorOf(deps, task.sessionUuid),
        sessionUuid: task.sessionUuid,
      });
      if (accepted) await acceptSessionProfile(deps.sql, task.sessionUuid);
      return said(accepted ? 'ACCEPTED' : 'REJECTED', status);
    }
    default: {
      const profileId = await findSessionProfile(deps.sql, task.sessionUuid);
      // Whatever else the charger has is not the partner's to clear.
      if (profileId === null) return said('UNKNOWN', 'none was set');
      const { accepted, status } = await clearChargingProfiles(deps, by, charger, {
        profileId,
        connectorNumber: null,
        purpose: null,
        stackLevel: null,
      });
      return said(accepted ? 'ACCEPTED' : status === 'Unknown' ? 'UNKNOWN' : 'REJECTED', status);
    }
  }
}

/** @throws {DomainError} NO_ACTIVE_SESSION: it ended since. */
async function connectorOf({ sql }: RoamingDeps, sessionUuid: string): Promise<number> {
  const session = await findRunningSession(sql, sessionUuid);
  if (session === null) throw new DomainError('NO_ACTIVE_SESSION', 'The session has ended.');
  return session.connectorNumber;
}

function said(result: ProfileResultType, message: string | null): CommandOutcome {
  return { result, message };
}
