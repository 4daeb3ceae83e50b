import { type DeviceModelVersion, featuresOf } from '#shared/domain/fleet/ocpp-version.ts';
import {
  compositeSchedule,
  wireProfile,
  wirePurpose,
  wireSchedule,
} from '#gateway/protocol/charging-schedule.ts';
import { profileInstalled, profilesCleared } from '#gateway/protocol/common-effects.ts';
import { outgoingCall } from '#gateway/protocol/outgoing-call.ts';
import type { NamedCommands } from '#gateway/protocol/protocol.ts';

const purposes = {
  StationMax: 'ChargingStationMaxProfile',
  TxDefault: 'TxDefaultProfile',
  Tx: 'TxProfile',
} as const;

/** Smart charging (2.0.1 K). */
export const chargingCommands = (
  version: DeviceModelVersion,
): Pick<NamedCommands, 'set-charging-profile' | 'clear-charging-profiles' | 'get-composite-schedule'> => ({
  'set-charging-profile': ({ evse, profile }) => {
    const wire = {
      id: profile.profileId,
      chargingProfilePurpose: wirePurpose(version, purposes, profile.purpose),
      ...wireProfile(version, profile),
      ...(profile.transactionId !== null && { transactionId: profile.transactionId }),
      ...(featuresOf(version).hasOfflineProfiles &&
        typeof profile.maxOfflineSeconds === 'number' && {
          maxOfflineDuration: profile.maxOfflineSeconds,
          invalidAfterOfflineDuration: true,
        }),
      // Further schedules are for ISO 15118 (K15).
      chargingSchedule: [{ id: 1, ...wireSchedule(profile) }],
    };
    return outgoingCall(
      version,
      'SetChargingProfile',
      { evseId: evse, chargingProfile: wire },
      'set this charging profile',
      {
        effect: profileInstalled(evse, profile, wire),
      },
    );
  },
  'clear-charging-profiles': ({ profileId, evse, purpose, stackLevel }) =>
    outgoingCall(
      version,
      'ClearChargingProfile',
      profileId !== null
        ? { chargingProfileId: profileId }
        : {
            chargingProfileCriteria: {
              ...(evse !== null && { evseId: evse }),
              ...(purpose !== null && { chargingProfilePurpose: wirePurpose(version, purposes, purpose) }),
              ...(stackLevel !== null && { stackLevel }),
            },
          },
      'clear these charging profiles',
      {
        effect: profilesCleared(
          { profileId, evse, purpose, stackLevel },
          purpose && wirePurpose(version, purposes, purpose),
        ),
      },
    ),
  'get-composite-schedule': ({ evse, durationSeconds, rateUnit }) =>
    outgoingCall(
      version,
      'GetCompositeSchedule',
      { evseId: evse, duration: durationSeconds, ...(rateUnit !== null && { chargingRateUnit: rateUnit }) },
      'tell its schedule',
      {
        details: ({ schedule }) =>
          schedule === undefined ? {} : { schedule: compositeSchedule(schedule.scheduleStart, schedule) },
      },
    ),
});
