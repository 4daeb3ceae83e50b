import { authorizationCore, authorizationIso, localLists } from './cases/authorization201.ts';
import { availability } from './cases/availability201.ts';
import { certificates, certificatesIso } from './cases/certificates201.ts';
import { smartCharging, smartChargingIso } from './cases/charging201.ts';
import { core16, localLists16 } from './cases/core16.ts';
import { dataTransfer } from './cases/datatransfer201.ts';
import { diagnostics, diagnosticsIso, monitoring } from './cases/diagnostics201.ts';
import { firmware16, reservation16, smartCharging16, triggers16 } from './cases/features16.ts';
import { displayMessages } from './cases/display201.ts';
import { firmware } from './cases/firmware201.ts';
import { meterValues } from './cases/meters201.ts';
import { provisioningCore, provisioningDevice } from './cases/provisioning201.ts';
import { remoteControl } from './cases/remote201.ts';
import { reservation } from './cases/reservation201.ts';
import { security16 } from './cases/security16.ts';
import { advancedSecurity, securityCore, securityIso } from './cases/security201.ts';
import { transactions } from './cases/transactions201.ts';
import type { Profile } from './steps.ts';

const core = [
  ...securityCore,
  ...provisioningCore,
  ...authorizationCore,
  ...transactions,
  ...remoteControl,
  ...availability,
  ...meterValues,
  ...firmware,
  ...certificates,
  ...diagnostics,
  ...dataTransfer,
];
const iso15118 = [
  ...securityIso,
  ...authorizationIso,
  ...smartChargingIso,
  ...certificatesIso,
  ...diagnosticsIso,
];

/** Cases of the certification programs of OCPP 2.0.1 (part 5) and 1.6, by profile. A case of two profiles is in the first. */
export const profiles: Profile[] = [
  { version: '2.0.1', name: 'Core', cases: core },
  { version: '2.0.1', name: 'Advanced Security', cases: advancedSecurity },
  { version: '2.0.1', name: 'Smart Charging', cases: smartCharging },
  { version: '2.0.1', name: 'ISO 15118 Support', cases: iso15118 },
  { version: '2.0.1', name: 'Local Authorization List Management', cases: localLists },
  { version: '2.0.1', name: 'Advanced Device Management', cases: [...provisioningDevice, ...monitoring] },
  { version: '2.0.1', name: 'Reservation', cases: reservation },
  { version: '2.0.1', name: 'Advanced User Interface', cases: displayMessages },
  { version: '1.6', name: 'Core', cases: core16 },
  { version: '1.6', name: 'Local Authorization List', cases: localLists16 },
  { version: '1.6', name: 'Firmware Management', cases: firmware16 },
  { version: '1.6', name: 'Reservation', cases: reservation16 },
  { version: '1.6', name: 'Remote Trigger', cases: triggers16 },
  { version: '1.6', name: 'Smart Charging', cases: smartCharging16 },
  { version: '1.6', name: 'Security', cases: security16 },
];
