import type { ChargerReport } from '#shared/domain/fleet/charger-reports.ts';
import type { RequestOf } from '#shared/ocpp/validators.ts';

/** OCPP 2.0.1 K09. Its parts carry no number; each says by itself what is installed. */
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
