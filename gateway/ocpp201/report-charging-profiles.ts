import type { ChargerReport } from '#shared/domain/commands/charger-reports.ts';
import type { RequestOf } from '#shared/ocpp/validators.ts';

/** Translates OCPP 2.0.1 K09. Its parts have no number; each contains complete profiles. */
export function message(request: RequestOf<'2.0.1', 'ReportChargingProfiles'>): ChargerReport {
  return {
    type: 'charging-profiles',
    evse: request.evseId,
    source: request.chargingLimitSource,
    profiles: request.chargingProfile.map((profile) => ({
      profileId: profile.id,
      purpose: profile.chargingProfilePurpose,
      stackLevel: profile.stackLevel,
      profile,
    })),
  };
}
