import type { ValueType } from './setting.ts';

/** Key of OCPP 1.6 with the facts that a charger does not report. */
export interface KnownKey {
  /** Feature profile of the key. */
  profile: string;
  type: ValueType;
  unit?: string;
}

const of = (profile: string, type: ValueType, unit?: string): KnownKey => ({
  profile,
  type,
  ...(unit === undefined ? {} : { unit }),
});

/** Standard keys (OCPP 1.6 §9, security white paper §5), in lower case. */
const keys: Record<string, KnownKey> = {
  allowofflinetxforunknownid: of('Core', 'boolean'),
  authorizationcacheenabled: of('Core', 'boolean'),
  authorizeremotetxrequests: of('Core', 'boolean'),
  blinkrepeat: of('Core', 'integer'),
  clockaligneddatainterval: of('Core', 'integer', 's'),
  connectiontimeout: of('Core', 'integer', 's'),
  connectorphaserotation: of('Core', 'list'),
  connectorphaserotationmaxlength: of('Core', 'integer'),
  getconfigurationmaxkeys: of('Core', 'integer'),
  heartbeatinterval: of('Core', 'integer', 's'),
  lightintensity: of('Core', 'integer', '%'),
  localauthorizeoffline: of('Core', 'boolean'),
  localpreauthorize: of('Core', 'boolean'),
  maxenergyoninvalidid: of('Core', 'integer', 'Wh'),
  metervaluesaligneddata: of('Core', 'list'),
  metervaluesaligneddatamaxlength: of('Core', 'integer'),
  metervaluessampleddata: of('Core', 'list'),
  metervaluessampleddatamaxlength: of('Core', 'integer'),
  metervaluesampleinterval: of('Core', 'integer', 's'),
  minimumstatusduration: of('Core', 'integer', 's'),
  numberofconnectors: of('Core', 'integer'),
  resetretries: of('Core', 'integer'),
  stoptransactiononevsidedisconnect: of('Core', 'boolean'),
  stoptransactiononinvalidid: of('Core', 'boolean'),
  stoptxnaligneddata: of('Core', 'list'),
  stoptxnaligneddatamaxlength: of('Core', 'integer'),
  stoptxnsampleddata: of('Core', 'list'),
  stoptxnsampleddatamaxlength: of('Core', 'integer'),
  supportedfeatureprofiles: of('Core', 'list'),
  supportedfeatureprofilesmaxlength: of('Core', 'integer'),
  transactionmessageattempts: of('Core', 'integer'),
  transactionmessageretryinterval: of('Core', 'integer', 's'),
  unlockconnectoronevsidedisconnect: of('Core', 'boolean'),
  websocketpinginterval: of('Core', 'integer', 's'),
  supportedfiletransferprotocols: of('FirmwareManagement', 'list'),
  localauthlistenabled: of('LocalAuthListManagement', 'boolean'),
  localauthlistmaxlength: of('LocalAuthListManagement', 'integer'),
  sendlocallistmaxlength: of('LocalAuthListManagement', 'integer'),
  reserveconnectorzerosupported: of('Reservation', 'boolean'),
  chargeprofilemaxstacklevel: of('SmartCharging', 'integer'),
  chargingscheduleallowedchargingrateunit: of('SmartCharging', 'list'),
  chargingschedulemaxperiods: of('SmartCharging', 'integer'),
  connectorswitch3to1phasesupported: of('SmartCharging', 'boolean'),
  maxchargingprofilesinstalled: of('SmartCharging', 'integer'),
  additionalrootcertificatecheck: of('Security', 'boolean'),
  authorizationkey: of('Security', 'text'),
  certificatesignedmaxchainsize: of('Security', 'integer'),
  certificatestoremaxlength: of('Security', 'integer'),
  cponame: of('Security', 'text'),
  securityprofile: of('Security', 'integer'),
};

/** Group of keys that the standard does not know. */
export const vendorProfile = 'Vendor';

/** Returns the facts of a key; keys are compared without regard to case (CiString). */
export function knownKey(key: string): KnownKey | undefined {
  return keys[key.toLowerCase()];
}
