import { bare, capabilities, type Capability } from './ocpi-evse.ts';
import { featuresOf } from './ocpp-version.ts';

/** Features of a model that are capabilities, in capitals without spaces. OCPP makes them optional. */
const featureCapabilities: Record<string, Capability> = {
  SMARTCHARGING: 'CHARGING_PROFILE_CAPABLE',
  RESERVATION: 'RESERVABLE',
  RESERVATIONS: 'RESERVABLE',
  RFID: 'RFID_READER',
  RFIDREADER: 'RFID_READER',
};

/** Controllers of the device model of OCPP 2.0.1 that report whether a feature is available and enabled, with its capability. */
const controllerCapabilities = {
  ReservationCtrlr: 'RESERVABLE',
  SmartChargingCtrlr: 'CHARGING_PROFILE_CAPABLE',
  TokenReader: 'RFID_READER',
} as const;
export type FeatureController = keyof typeof controllerCapabilities;
export const featureControllers = Object.keys(controllerCapabilities) as FeatureController[];

/** Optional feature profiles of OCPP 1.6, with their capabilities. */
const profileCapabilities = { Reservation: 'RESERVABLE', SmartCharging: 'CHARGING_PROFILE_CAPABLE' } as const;

/** Key of the configuration of OCPP 1.6 (§9.1.24) that lists the feature profiles of a charger. */
export const featureProfilesKey = 'SupportedFeatureProfiles';

/** Returns the feature profiles in the value of `featureProfilesKey`. */
export function readFeatureProfiles(value: string): string[] {
  const names = value.split(',').map((name) => name.trim());
  return names.filter((name) => /^[A-Za-z0-9 _-]{1,50}$/.test(name)).slice(0, 20);
}

/** Facts that determine the capabilities of an EVSE. */
interface EvseAbilities {
  capabilities: Capability[] | null;
  /** Feature profiles that a charger of OCPP 1.6 reported. Null: not known. */
  featureProfiles: readonly string[] | null;
  /** Controllers that a charger of OCPP 2.0.1 reported, false for those that are unavailable or disabled. Null: none. */
  featureControllers: Partial<Record<FeatureController, boolean>> | null;
  /** Null: the charger never connected. */
  ocppVersion: string | null;
  /** Features of the charger's model, separated by commas or semicolons. */
  modelFeatures: string | null;
  connectors: readonly { format: string | null }[];
}

/**
 * Returns the capabilities of an EVSE: those that were set, or those that follow from OCPP, the model and the charger, whose report
 * of a feature has precedence over its model. Every charger starts, stops and unlocks on command, and a socket has a lock.
 */
export function capabilitiesOf(evse: EvseAbilities): Capability[] {
  const { capabilities: stated, ocppVersion, modelFeatures, connectors } = evse;
  if (stated !== null) return stated;
  if (ocppVersion === null) return [];
  const features = (modelFeatures ?? '').split(/[,;]/).map((name) => featureCapabilities[bare(name)]);
  const found = new Set<Capability>(['REMOTE_START_STOP_CAPABLE']);
  if (connectors.some(({ format }) => format === 'SOCKET')) found.add('UNLOCK_CAPABLE');
  for (const capability of features) if (capability !== undefined) found.add(capability);
  for (const [capability, isSupported] of reportedCapabilities(evse)) {
    if (isSupported) found.add(capability);
    else found.delete(capability);
  }
  return capabilities.filter((capability) => found.has(capability));
}

/** Returns the capabilities about which a charger reported whether it has them. */
function reportedCapabilities({
  ocppVersion,
  featureProfiles,
  featureControllers: controllers,
}: EvseAbilities): [capability: Capability, isSupported: boolean][] {
  const features = featuresOf(ocppVersion);
  if (features === null) return [];
  if (!features.hasDeviceModel) {
    if (featureProfiles === null) return [];
    const names = new Set(featureProfiles.map(bare));
    return Object.entries(profileCapabilities).map(([profile, capability]) => [
      capability,
      names.has(bare(profile)),
    ]);
  }
  return featureControllers.flatMap((controller) => {
    const isSupported = controllers?.[controller];
    return isSupported === undefined ? [] : [[controllerCapabilities[controller], isSupported]];
  });
}
