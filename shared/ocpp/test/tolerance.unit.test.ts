import t from 'tap';
import { asResponse, InvalidPayload, validateRequest, validateResponse } from '#shared/ocpp/validators.ts';
import { deepFreeze } from './support/sample.ts';

const timestamp = '2026-05-04T03:02:01Z';
const samples16 = (sampledValue: unknown): unknown =>
  deepFreeze({ connectorId: 1, meterValue: [{ timestamp, sampledValue }] });
const samples201 = (sampledValue: unknown): unknown =>
  deepFreeze({ evseId: 1, meterValue: [{ timestamp, sampledValue }] });
const withToken = (text: string) => ({ idToken: { idToken: text, type: 'ISO14443' } });
const withKey = (count: number) => ({ key: '⚡🔌'.repeat(count / 2), value: '' });
const withLimit = (limit: number) => ({
  connectorId: 1,
  csChargingProfiles: {
    chargingProfileId: 1,
    stackLevel: 0,
    chargingProfilePurpose: 'TxDefaultProfile',
    chargingProfileKind: 'Absolute',
    chargingSchedule: { chargingRateUnit: 'A', chargingSchedulePeriod: [{ startPeriod: 0, limit }] },
  },
});
const startedAt = (text: string) =>
  validateRequest('1.6', 'StartTransaction', {
    connectorId: 1,
    idTag: 'A',
    meterStart: 0,
    timestamp: text,
  });

void t.test('accepts ten samples in one message', (t) => {
  const reading = {
    context: 'Sample.Periodic',
    measurand: 'Current.Import',
    phase: 'L1',
    location: 'Outlet',
  };
  const ten = Array.from({ length: 10 }, (_, index) => ({ ...reading, unit: 'A', value: `${index}.5` }));
  t.equal(validateRequest('1.6', 'MeterValues', samples16(ten)), null);
  const numeric = ten.map(({ unit, value, ...rest }) => ({
    ...rest,
    value: +value,
    unitOfMeasure: { unit },
  }));
  t.equal(validateRequest('2.0.1', 'MeterValues', samples201(numeric)), null);
  t.end();
});

void t.test('accepts unknown words in each field of a sampled value', (t) => {
  for (const field of ['context', 'measurand', 'phase', 'location']) {
    t.equal(validateRequest('1.6', 'MeterValues', samples16([{ value: '1', [field]: 'Vendor.New' }])), null);
    t.equal(validateRequest('2.0.1', 'MeterValues', samples201([{ value: 1, [field]: 'Vendor.New' }])), null);
    t.match(validateRequest('1.6', 'MeterValues', samples16([{ value: '1', [field]: 7 }])), {
      kind: 'type',
      path: `/meterValue/0/sampledValue/0/${field}`,
    });
  }
  for (const field of ['unit', 'format']) {
    t.equal(validateRequest('1.6', 'MeterValues', samples16([{ value: '1', [field]: 'kiloFoo' }])), null);
  }
  const unitOfMeasure = { unit: 'a unit of more than twenty characters', multiplier: 3 };
  t.equal(validateRequest('2.0.1', 'MeterValues', samples201([{ value: 1, unitOfMeasure }])), null);
  t.end();
});

void t.test('accepts unknown words in readings of StopTransaction and TransactionEvent', (t) => {
  const stop = { transactionId: 1, meterStop: 2, timestamp };
  const reading = { timestamp, sampledValue: [{ value: '1', measurand: 'Vendor.New' }] };
  t.equal(validateRequest('1.6', 'StopTransaction', { ...stop, transactionData: [reading] }), null);
  const event = { eventType: 'Ended', timestamp, triggerReason: 'StopAuthorized', seqNo: 2 };
  const transactionInfo = { transactionId: 'tx-1' };
  const meterValue = [{ timestamp, sampledValue: [{ value: 1, measurand: 'Vendor.New' }] }];
  t.equal(validateRequest('2.0.1', 'TransactionEvent', { ...event, transactionInfo, meterValue }), null);
  t.equal(validateRequest('2.0.1', 'TransactionEvent', { ...event, transactionInfo, meterValue: [] }), null);
  t.end();
});

void t.test('accepts any reason, trigger and error code', (t) => {
  const stop = { transactionId: 1, meterStop: 2, timestamp, reason: 'Vendor.Bored' };
  t.equal(validateRequest('1.6', 'StopTransaction', stop), null);
  const status = { connectorId: 1, errorCode: 'Vendor.E42', status: 'Faulted' };
  t.equal(validateRequest('1.6', 'StatusNotification', status), null);
  const event = { eventType: 'Ended', timestamp, triggerReason: 'Vendor.Whim', seqNo: 2 };
  const transactionInfo = { transactionId: 'tx-1', stoppedReason: 'Vendor.Bored' };
  t.equal(validateRequest('2.0.1', 'TransactionEvent', { ...event, transactionInfo }), null);
  t.match(validateRequest('1.6', 'StopTransaction', { ...stop, reason: 7 }), {
    kind: 'type',
    path: '/reason',
  });
  t.end();
});

void t.test('accepts 1.6 registers with decimals', (t) => {
  t.equal(validateRequest('1.6', 'StopTransaction', { transactionId: 1, meterStop: 2.5, timestamp }), null);
  const start = { connectorId: 1, idTag: 'A', meterStart: 1.5, timestamp };
  t.equal(validateRequest('1.6', 'StartTransaction', start), null);
  t.end();
});

void t.test('refuses unknown words of other enumerations', (t) => {
  const status = { connectorId: 1, errorCode: 'NoError', status: 'Sleeping' };
  t.match(validateRequest('1.6', 'StatusNotification', status), { kind: 'property', path: '/status' });
  const boot = { reason: 'Boredom', chargingStation: { model: 'M', vendorName: 'V' } };
  t.match(validateRequest('2.0.1', 'BootNotification', boot), { kind: 'property', path: '/reason' });
  t.end();
});

void t.test('accepts an empty list of samples in both versions', (t) => {
  t.equal(validateRequest('1.6', 'MeterValues', samples16([])), null);
  t.equal(validateRequest('2.0.1', 'MeterValues', samples201([])), null);
  t.equal(validateRequest('1.6', 'MeterValues', { connectorId: 1, meterValue: [] }), null);
  t.equal(validateRequest('2.0.1', 'MeterValues', { evseId: 1, meterValue: [] }), null);
  t.end();
});

void t.test('accepts numbers and text as 1.6 samples, nothing else', (t) => {
  t.equal(validateRequest('1.6', 'MeterValues', samples16([{ value: 12.5 }])), null);
  t.equal(validateRequest('1.6', 'MeterValues', samples16([{ value: '12.5' }])), null);
  for (const value of [true, null, {}]) {
    const problem = validateRequest('1.6', 'MeterValues', samples16([{ value }]));
    t.match(problem, { kind: 'type', path: '/meterValue/0/sampledValue/0/value' });
  }
  t.end();
});

void t.test('accepts descriptions of ten times the length, not identifiers', (t) => {
  const status = { connectorId: 1, errorCode: 'NoError', status: 'Faulted' };
  t.equal(validateRequest('1.6', 'StatusNotification', { ...status, info: 'i'.repeat(900) }), null);
  t.equal(
    validateRequest('1.6', 'StatusNotification', { ...status, vendorErrorCode: 'e'.repeat(500) }),
    null,
  );
  t.match(validateRequest('1.6', 'StatusNotification', { ...status, vendorErrorCode: 'e'.repeat(501) }), {
    kind: 'property',
    path: '/vendorErrorCode',
    message: '/vendorErrorCode must have at most 500 characters',
  });
  t.equal(validateRequest('1.6', 'Authorize', { idTag: 't'.repeat(20) }), null);
  t.match(validateRequest('1.6', 'Authorize', { idTag: 't'.repeat(21) }), {
    kind: 'property',
    path: '/idTag',
  });
  t.equal(validateRequest('2.0.1', 'Authorize', withToken('t'.repeat(36))), null);
  t.match(validateRequest('2.0.1', 'Authorize', withToken('t'.repeat(37))), { path: '/idToken/idToken' });
  t.end();
});

void t.test('refuses to send values beyond the standard', (t) => {
  t.match(validateRequest('1.6', 'ChangeConfiguration', { key: 'k'.repeat(51), value: '' }), {
    kind: 'property',
  });
  t.match(validateRequest('2.0.1', 'GetVariables', { getVariableData: [] }), {
    kind: 'occurrence',
    path: '/getVariableData',
  });
  t.match(validateRequest('1.6', 'Reset', { type: 'Gentle' }), { kind: 'property', path: '/type' });
  const boot = { status: 'Accepted', interval: 300 };
  t.equal(validateResponse('1.6', 'BootNotification', { ...boot, currentTime: timestamp }), null);
  t.match(validateResponse('1.6', 'BootNotification', { ...boot, currentTime: '2026-05-04T03:02:01' }), {
    kind: 'property',
    path: '/currentTime',
    message: '/currentTime is not a valid date-time',
  });
  const location = { location: 'not an address' };
  t.match(validateRequest('1.6', 'GetDiagnostics', location), { kind: 'property', path: '/location' });
  t.end();
});

void t.test('counts a character beyond the basic plane once', (t) => {
  t.equal(validateRequest('1.6', 'ChangeConfiguration', withKey(50)), null);
  t.match(validateRequest('1.6', 'ChangeConfiguration', withKey(52)), { kind: 'property', path: '/key' });
  t.end();
});

void t.test('accepts charging limits in tenths and refuses finer ones', (t) => {
  const refused = [];
  for (let tenths = 0; tenths <= 3200; tenths++) {
    for (const limit of [tenths / 10, tenths * 0.1]) {
      if (validateRequest('1.6', 'SetChargingProfile', withLimit(limit)) !== null) refused.push(limit);
    }
  }
  t.same(refused, []);
  t.match(validateRequest('1.6', 'SetChargingProfile', withLimit(16.15)), {
    kind: 'property',
    message: /must be a multiple of 0\.1/,
  });
  t.end();
});

void t.test('accepts times as chargers write them and refuses other text', (t) => {
  for (const text of ['2026-05-04T03:02:01', '2026-05-04T03:02:01.1234567Z', '1970-01-01T00:00:00Z']) {
    t.equal(startedAt(text), null, text);
  }
  for (const text of ['', 'yesterday', '2026-13-04T03:02:01Z']) {
    t.match(startedAt(text), { kind: 'property', path: '/timestamp' }, text);
  }
  t.end();
});

void t.test('accepts any text as a time of a stop, a transaction event and their readings', (t) => {
  const sampledValue = [{ value: '1' }];
  const transactionData = [{ timestamp: '', sampledValue }];
  const stop = { transactionId: 1, meterStop: 2, timestamp: 'yesterday', transactionData };
  t.equal(validateRequest('1.6', 'StopTransaction', stop), null);
  const event = {
    eventType: 'Ended',
    timestamp: '',
    triggerReason: 'StopAuthorized',
    seqNo: 2,
    transactionInfo: { transactionId: 'tx-1' },
    meterValue: [{ timestamp: 'noon', sampledValue: [{ value: 1 }] }],
  };
  t.equal(validateRequest('2.0.1', 'TransactionEvent', event), null);
  t.match(validateRequest('1.6', 'StopTransaction', { ...stop, timestamp: 7 }), { path: '/timestamp' });
  const status = { timestamp: 'noon', connectorStatus: 'Available', evseId: 1, connectorId: 1 };
  t.match(validateRequest('2.0.1', 'StatusNotification', status), { path: '/timestamp' }, 'no others');
  t.end();
});

void t.test('names a wrong type', (t) => {
  const stop = { transactionId: '17', meterStop: 2, timestamp };
  t.match(validateRequest('1.6', 'StopTransaction', stop), {
    kind: 'type',
    path: '/transactionId',
    message: '/transactionId must be of type integer',
  });
  t.end();
});

void t.test('returns the payload as its typed form or throws the problem', (t) => {
  const payload: unknown = { status: 'Scheduled', extra: 1 };
  const reset = asResponse('2.0.1', 'Reset', payload);
  t.equal(reset, payload);
  t.equal(reset.status, 'Scheduled');
  const missing = { kind: 'occurrence', path: '/status', message: '/status is missing' } as const;
  t.throws(() => asResponse('2.0.1', 'Reset', {}), new InvalidPayload(missing));
  t.throws(() => asResponse('2.0.1', 'Reset', { status: 'Later' }), InvalidPayload);
  t.end();
});

void t.test('limits integers to 32 bits, except identifiers of the back end', (t) => {
  const status16 = { errorCode: 'NoError', status: 'Available' };
  const status201 = { timestamp, connectorStatus: 'Available', evseId: 1 };
  for (const connectorId of [2 ** 31, -(2 ** 31) - 1, 2 ** 53, 1e30]) {
    const problem = { kind: 'property', path: '/connectorId' };
    t.match(validateRequest('1.6', 'StatusNotification', { ...status16, connectorId }), problem);
    t.match(validateRequest('2.0.1', 'StatusNotification', { ...status201, connectorId }), problem);
    const stop = { transactionId: connectorId, meterStop: connectorId, timestamp };
    t.equal(validateRequest('1.6', 'StopTransaction', stop), null);
  }
  t.equal(validateRequest('1.6', 'StatusNotification', { ...status16, connectorId: 2 ** 31 - 1 }), null);
  const reservationId = 2 ** 32 - 1;
  const start = { connectorId: 1, idTag: 'A', meterStart: 0, timestamp, reservationId };
  t.equal(validateRequest('1.6', 'StartTransaction', start), null, 'as some chargers send for no session');
  const update = { reservationId, reservationUpdateStatus: 'Removed' };
  t.match(validateRequest('2.0.1', 'ReservationStatusUpdate', update), { path: '/reservationId' });
  t.end();
});
