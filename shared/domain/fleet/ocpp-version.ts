/** The OCPP versions that a charger may speak, oldest first, as the operator API writes them. */
export const ocppVersions = ['1.6', '2.0.1', '2.1'] as const;
export type OcppVersion = (typeof ocppVersions)[number];

/** Versions with the device model, and the messages and types that came with it. */
export type DeviceModelVersion = Exclude<OcppVersion, '1.6'>;

/** Uses of a root certificate that a charger installs. */
export const rootCertificateUses = ['CSMSRoot', 'ManufacturerRoot', 'V2GRoot', 'MORoot'] as const;
export type RootCertificateUse = (typeof rootCertificateUses)[number];

/** Facts about a version of OCPP. Code outside the folder of a version queries them instead of the version. */
export interface OcppFeatures {
  /** Settings are variables of a device model. False: they are configuration keys. */
  hasDeviceModel: boolean;
  /** Sessions are reported by TransactionEvent. False: by StartTransaction, MeterValues and StopTransaction. */
  hasTransactionEvents: boolean;
  /** Maximum number of characters of a token. */
  maxIdTokenLength: number;
  /** Maximum number of characters of an OCSP answer in Base64. Zero: the version has none. */
  maxOcspResultLength: number;
  rootCertificateUses: readonly RootCertificateUse[];
  remoteActions: { readonly start: string; readonly stop: string };
  /** Either side sends messages without an answer (SEND) and refuses answers (CALLRESULTERROR), and ignores messages of an unknown type. */
  hasSend: boolean;
  /** The charger applies limits and prices of a session itself (TransactionEvent: transactionLimit, costDetails). */
  hasStationLimits: boolean;
  /** Limits of a charging profile change while it applies (Dynamic), and a session may charge with priority. */
  hasDynamicProfiles: boolean;
  /** Profiles may end a time after the connection was lost (maxOfflineDuration). */
  hasOfflineProfiles: boolean;
}

const deviceModel: OcppFeatures = {
  hasDeviceModel: true,
  hasTransactionEvents: true,
  maxIdTokenLength: 36,
  maxOcspResultLength: 5500,
  rootCertificateUses,
  remoteActions: { start: 'RequestStartTransaction', stop: 'RequestStopTransaction' },
  hasSend: false,
  hasStationLimits: false,
  hasDynamicProfiles: false,
  hasOfflineProfiles: false,
};

const features: Record<OcppVersion, OcppFeatures> = {
  '1.6': {
    hasDeviceModel: false,
    hasTransactionEvents: false,
    maxIdTokenLength: 20,
    maxOcspResultLength: 0,
    rootCertificateUses: ['CSMSRoot', 'ManufacturerRoot'],
    remoteActions: { start: 'RemoteStartTransaction', stop: 'RemoteStopTransaction' },
    hasSend: false,
    hasStationLimits: false,
    hasDynamicProfiles: false,
    hasOfflineProfiles: false,
  },
  '2.0.1': deviceModel,
  '2.1': {
    ...deviceModel,
    maxIdTokenLength: 255,
    maxOcspResultLength: 18_000,
    hasSend: true,
    hasStationLimits: true,
    hasDynamicProfiles: true,
    hasOfflineProfiles: true,
  },
};

const idTokenLimits = Object.values(features).map(({ maxIdTokenLength }) => maxIdTokenLength);

/** Maximum number of characters of a token that every version accepts. */
export const shortestIdTokenLimit = Math.min(...idTokenLimits);

/** Maximum number of characters of a token in any version. */
export const longestIdTokenLimit = Math.max(...idTokenLimits);

/**
 * Returns the features of a version; null for one that is not known: a charger that never connected has none, and a database may
 * hold the versions of a later release.
 */
export function featuresOf(version: OcppVersion): OcppFeatures;
export function featuresOf(version: string | null): OcppFeatures | null;
export function featuresOf(version: string | null): OcppFeatures | null {
  return isOcppVersion(version) ? features[version] : null;
}

function isOcppVersion(version: string | null): version is OcppVersion {
  return version !== null && Object.hasOwn(features, version);
}
