import t from 'tap';
import { ocpp16 } from '#gateway/ocpp16/table.ts';
import { ocpp201 } from '#gateway/ocpp201/table.ts';
import type { NamedCommand } from '#shared/domain/commands/commands.ts';

const position = { evse: 2, connector: 1 };
const at = new Date('2026-03-01T10:00:00.500Z');
const schedule = { durationSeconds: null, startsAt: null, rateUnit: 'W', minChargingRate: null } as const;
const profile = {
  profileId: 7,
  stackLevel: 3,
  purpose: 'TxDefault',
  kind: 'Absolute',
  recurrency: null,
  updateIntervalSeconds: null,
  transactionId: null,
  validFrom: null,
  validTo: at,
  ...schedule,
  periods: [{ startSeconds: 0, limit: 11_000, phases: null }],
} as const;
const criteria = { profileId: null, evse: 1, purpose: 'StationMax', stackLevel: 0 } as const;
const firmware = {
  requestId: 5,
  location: 'https://files.example/image',
  retrieveAt: at,
  retries: null,
  retryIntervalSeconds: null,
};
const signing = { certificate: 'pem', signature: 'c2lnbmF0dXJl' };
const hash = {
  hashAlgorithm: 'SHA256',
  issuerNameHash: 'ab',
  issuerKeyHash: 'cd',
  serialNumber: '1f',
} as const;
const reservation = {
  reservationId: 4,
  token: { idToken: 'CARD', type: 'RFID' },
  groupId: 'GROUP',
  expiresAt: at,
} as const;
const variable = {
  component: 'OCPPCommCtrlr',
  componentInstance: null,
  evseId: null,
  connectorId: null,
  variable: 'HeartbeatInterval',
  variableInstance: null,
  attributeType: 'Actual',
  value: '60',
} as const;
const password = {
  ...variable,
  component: 'SecurityCtrlr',
  variable: 'BasicAuthPassword',
  value: 'x'.repeat(20),
};

/** Commands of both versions. */
const commands: NamedCommand[] = [
  { type: 'reset', kind: 'Soft' },
  { type: 'change-availability', position: null, availability: 'Inoperative' },
  { type: 'change-availability', position, availability: 'Operative' },
  { type: 'change-configuration', key: 'OCPPCommCtrlr.HeartbeatInterval', value: '60' },
  { type: 'change-configuration', key: 'authorizationKey', value: '0123456789abcdef' },
  { type: 'set-password', password: '0123456789abcdef' },
  { type: 'update-firmware', ...firmware, installAt: null, signing: null },
  { type: 'update-firmware', ...firmware, installAt: at, signing },
  { type: 'reserve-now', position: null, ...reservation },
  { type: 'reserve-now', position, ...reservation, groupId: null },
  { type: 'cancel-reservation', reservationId: 4 },
  { type: 'send-local-list', version: 9, isFull: true, entries: [] },
  { type: 'clear-cache' },
  { type: 'set-charging-profile', evse: 1, profile },
  { type: 'clear-charging-profiles', ...criteria },
  { type: 'clear-charging-profiles', profileId: 7, evse: null, purpose: null, stackLevel: null },
  { type: 'install-certificate', use: 'CSMSRoot', pem: 'pem' },
  { type: 'delete-certificate', ...hash },
];

const only201: NamedCommand[] = [
  { type: 'set-variables', variables: [variable] },
  { type: 'set-variables', variables: [variable, password] },
  { type: 'change-configuration', key: 'SecurityCtrlr.BasicAuthPassword', value: 'x'.repeat(20) },
];

for (const protocol of [ocpp16, ocpp201]) {
  const { version, commands: encoders } = protocol;
  const sent = version === '1.6' ? commands : [...commands, ...only201];
  for (const command of sent) {
    void t.test(`${version}: states the effect of ${command.type} that its OCPP request has`, async (t) => {
      const call = encoders[command.type](command as never);
      t.strictSame(call.effect, protocol.effectOf(call.action, call.request));
    });
  }

  void t.test(
    `${version}: states the start that the API stored as the effect of a remote start`,
    async (t) => {
      const start = { idToken: 'CARD', remoteStartId: 3, startUuid: '6f9619ff-8b86-4d01-b42d-00cf4fc964ff' };
      for (const [place, evse] of [
        [null, null],
        [position, 2],
      ] as const) {
        const call = encoders['remote-start']({ type: 'remote-start', position: place, ...start });
        t.strictSame(call.effect, { type: 'remote-start', ...start, evse });
        t.match(protocol.effectOf(call.action, call.request), {
          type: 'remote-start',
          idToken: 'CARD',
          evse,
        });
      }
    },
  );
}
