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
  StationMax: 'ChargePointMaxProfile',
  TxDefault: 'TxDefaultProfile',
  Tx: 'TxProfile',
} as const;

/** Smart charging (1.6 §3.13). */
export const chargingCommands: Pick<
  NamedCommands,
  'set-charging-profile' | 'clear-charging-profiles' | 'get-composite-schedule'
> = {
  'set-charging-profile': ({ evse, profile }) => {
    const wire = {
      chargingProfileId: profile.profileId,
      chargingProfilePurpose: wirePurpose('1.6', purposes, profile.purpose),
      ...wireProfile('1.6', profile),
      ...(profile.transactionId !== null && { transactionId: Number(profile.transactionId) }),
      chargingSchedule: wireSchedule(profile),
    };
    return outgoingCall(
      '1.6',
      'SetChargingProfile',
      { connectorId: evse, csChargingProfiles: wire },
      'set this charging profile',
      {
        effect: profileInstalled(evse, profile, wire),
      },
    );
  },
  // An id identifies the profile; the other criteria apply without one (§5.5).
  'clear-charging-profiles': ({ profileId, evse, purpose, stackLevel }) =>
    outgoingCall(
      '1.6',
      'ClearChargingProfile',
      profileId !== null
        ? { id: profileId }
        : {
            ...(evse !== null && { connectorId: evse }),
            ...(purpose !== null && { chargingProfilePurpose: wirePurpose('1.6', purposes, purpose) }),
            ...(stackLevel !== null && { stackLevel }),
          },
      'clear these charging profiles',
      {
        effect: profilesCleared(
          { profileId, evse, purpose, stackLevel },
          purpose && wirePurpose('1.6', purposes, purpose),
        ),
      },
    ),
  'get-composite-schedule': ({ evse, durationSeconds, rateUnit }) =>
    outgoingCall(
      '1.6',
      'GetCompositeSchedule',
      {
        connectorId: evse,
        duration: durationSeconds,
        ...(rateUnit !== null && { chargingRateUnit: rateUnit }),
      },
      'tell its schedule',
      {
        details: ({ scheduleStart, chargingSchedule }) =>
          chargingSchedule === undefined
            ? {}
            : { schedule: compositeSchedule(scheduleStart, chargingSchedule) },
      },
    ),
};
