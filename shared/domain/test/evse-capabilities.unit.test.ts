import t from 'tap';
import { capabilitiesOf } from '#shared/domain/fleet/evse-capabilities.ts';

const socket = { format: 'SOCKET' };
const cable = { format: 'CABLE' };
const evse = {
  capabilities: null,
  ocppVersion: '1.6',
  modelFeatures: null,
  featureProfiles: null,
  featureControllers: null,
  connectors: [cable],
};

const rows = [
  ['of a charger that never connected', { ocppVersion: null, modelFeatures: 'RFID' }, []],
  ['of a charger without a model', {}, ['REMOTE_START_STOP_CAPABLE']],
  ['of a socket', { connectors: [cable, socket] }, ['REMOTE_START_STOP_CAPABLE', 'UNLOCK_CAPABLE']],
  [
    'of the features of the model',
    { ocppVersion: '2.0.1', modelFeatures: 'Smart Charging; reservation, RFID reader, Solar' },
    ['CHARGING_PROFILE_CAPABLE', 'REMOTE_START_STOP_CAPABLE', 'RESERVABLE', 'RFID_READER'],
  ],
  ['of an unknown feature', { modelFeatures: 'no RFID' }, ['REMOTE_START_STOP_CAPABLE']],
  [
    'that a charger of 1.6 reports as feature profiles',
    { modelFeatures: 'Reservation, RFID', featureProfiles: ['Core', 'Smart Charging'] },
    ['CHARGING_PROFILE_CAPABLE', 'REMOTE_START_STOP_CAPABLE', 'RFID_READER'],
  ],
  [
    'that a charger of 2.0.1 reports in its device model',
    {
      ocppVersion: '2.0.1',
      modelFeatures: 'Smart Charging',
      featureControllers: { ReservationCtrlr: true, SmartChargingCtrlr: false, TokenReader: true },
    },
    ['REMOTE_START_STOP_CAPABLE', 'RESERVABLE', 'RFID_READER'],
  ],
  [
    'without the report of an earlier version of OCPP',
    { ocppVersion: '2.0.1', featureProfiles: ['Reservation'] },
    ['REMOTE_START_STOP_CAPABLE'],
  ],
  ['that an operator set', { capabilities: ['RFID_READER'], connectors: [socket] }, ['RFID_READER']],
  ['that an operator set to none', { capabilities: [] }, []],
] as const;

for (const [title, facts, expected] of rows) {
  void t.test(`returns the capabilities ${title}`, async (t) => {
    t.same(capabilitiesOf({ ...evse, ...facts } as Parameters<typeof capabilitiesOf>[0]), expected);
  });
}
