import t from 'tap';
import { keyFingerprint, readMeterKey } from '#shared/domain/charging/meter-key.ts';
import { parseOcmf } from '#shared/domain/charging/ocmf.ts';
import { signedValueOf, transportedIn } from '#shared/domain/charging/signed-data.ts';
import { checkSignature } from '#shared/domain/charging/signature-check.ts';
import {
  type CheckedValue,
  type SignatureState,
  signatureFlags,
  signaturesOf,
  type ValueState,
  valueStates,
  valueTransitions,
} from '#shared/domain/charging/signed-meter-value.ts';
import { noRegisters } from '#shared/domain/charging/signed-registers.ts';
import { signingMeter } from '#shared/simulator/signing-meter.ts';
import { publishedAlfen, publishedRecords } from './support/published-records.ts';

const keyOf = (text: string) => {
  const key = readMeterKey(text);
  if (key === null) throw new Error(`no key: ${text}`);
  return key;
};
const base64 = (text: string) => Buffer.from(text).toString('base64');
const hour = 3_600_000;
const period = { startedAt: new Date(10 * hour), endedAt: new Date(12 * hour) };
const value = (state: ValueState, changed: Partial<CheckedValue> = {}): CheckedValue => ({
  ...noRegisters,
  nature: 'INTERMEDIATE',
  state,
  keyId: state === 'VERIFIED' ? 1n : null,
  ...changed,
});
const registers = (...readings: object[]) => {
  const found = parseOcmf(`OCMF|${JSON.stringify({ RD: readings })}|{"SD":"00"}`);
  return [found?.registers.startWh, found?.registers.endWh];
};
const registersIn = (content: object, reading: object = {}) =>
  parseOcmf(
    `OCMF|${JSON.stringify({
      GS: 'G',
      MS: 'M',
      PG: 'T12',
      RD: [
        {
          TM: '2026-03-29T03:00:00,500+0200 S',
          TX: 'B',
          RV: 1,
          RI: '1-b:1.8.0',
          RU: 'Wh',
          ST: 'G',
          ...reading,
        },
      ],
      ...content,
    })}|{"SD":"00"}`,
  )?.registers;
const flagsOf = (signatureState: SignatureState, hasMeterKey = true, billedWh = 5020) => {
  const signedEnergyWh = signatureState === 'VERIFIED' ? 5000 : null;
  return signatureFlags({ signatureState, signedEnergyWh, hasMeterKey }, billedWh);
};
const ocmf = (data: string) => ({ format: 'OCMF' as const, data });

for (const { curve, publicKey, record, startWh, endWh } of publishedRecords) {
  void t.test(`verifies a published record on ${curve}`, async (t) => {
    const key = keyOf(publicKey);
    t.equal(key.curve, curve);
    t.match(checkSignature(ocmf(record), [key]), { state: 'VERIFIED', startWh, endWh, key });
    t.match(checkSignature(ocmf(record.replace('"RV":', '"RV":1')), [key]), { state: 'INVALID', key: null });
    t.equal(checkSignature(ocmf(record), [keyOf(signingMeter().publicKey)]).state, 'INVALID', 'another key');
    t.equal(checkSignature(ocmf(record), []).state, 'UNVERIFIED', 'no key');
  });
}

for (const [curve, algorithm] of [
  ['secp256k1', 'ECDSA-secp256k1-SHA256'],
  ['prime192v1', 'ECDSA-secp192r1-SHA256'],
  ['brainpoolP384r1', 'ECDSA-brainpool384r1-SHA256'],
  ['secp521r1', 'ECDSA-secp521r1-SHA256'],
] as const) {
  void t.test(`verifies a signature on ${curve}`, async (t) => {
    const meter = signingMeter({ curve, algorithm });
    const record = meter.record({ code: 'B', wh: 10 });
    t.equal(checkSignature(ocmf(record), [keyOf(meter.publicKey)]).state, 'VERIFIED');
  });
}

void t.test('verifies published values of Alfen', async (t) => {
  const { publicKey, start, end } = publishedAlfen;
  const key = keyOf(publicKey);
  t.equal(key.curve, 'prime192v1');
  const alfen = (data: string) => checkSignature({ format: 'ALFEN', data }, [key]);
  t.match(alfen(start), {
    state: 'VERIFIED',
    startWh: 111_133,
    endWh: null,
    key,
    startAt: new Date('2020-01-02T09:37:16Z'),
    page: 171,
  });
  t.match(alfen(end), { state: 'VERIFIED', startWh: null, endWh: 111_271, key });
  t.match(alfen(end.replace('AAO3', 'AAO4').replace('ACT3', 'ACT4')), { state: 'INVALID', key: null });
  t.equal(alfen('AP;0;3;;;').state, 'INVALID');
  const at = { measuredAt: new Date(0), receivedAt: new Date(0), context: 'Transaction.Begin' };
  t.match(signedValueOf(transportedIn(start), at), { format: 'ALFEN', claimedKey: publicKey });
});

void t.test('refuses records of no known algorithm or form, since neither is signed', async (t) => {
  const meter = signingMeter();
  const keys = [keyOf(meter.publicKey)];
  const record = meter.record({ code: 'B', wh: 10 });
  const state = (data: string) => checkSignature(ocmf(data), keys).state;
  t.equal(state(record.replace('ECDSA-secp256r1-SHA256', 'RSA-2048-SHA256')), 'INVALID');
  t.equal(state(record.replace('"SA"', '"SM":"application/pkcs7","SA"')), 'INVALID');
  t.equal(checkSignature({ format: 'OTHER', data: '<signedMeterValue/>' }, keys).state, 'UNSUPPORTED');
  for (const malformed of ['OCMF|', 'OCMF|{}', 'OCMF|{}|', 'OCMF|[]|{}', 'OCMF|{"RD":7}|{"SD":7}']) {
    t.equal(state(malformed), 'INVALID', malformed);
  }
});

void t.test('reads signatures in base64', async (t) => {
  const meter = signingMeter();
  const record = meter.record({ code: 'B', wh: 10 });
  const inBase64 = record.replace(
    /"SD":"(\w+)"/,
    (_, hex: string) => `"SE":"base64","SD":"${Buffer.from(hex, 'hex').toString('base64')}"`,
  );
  t.equal(checkSignature(ocmf(inBase64), [keyOf(meter.publicKey)]).state, 'VERIFIED');
});

void t.test('reads a key in every form that it is published in', async (t) => {
  const { publicKey } = keyOf(signingMeter().publicKey);
  const der = Buffer.from(publicKey, 'hex');
  const pem = `-----BEGIN PUBLIC KEY-----\n${der.toString('base64')}\n-----END PUBLIC KEY-----\n`;
  const point = publicKey.slice(-130);
  for (const text of [
    publicKey.toLowerCase(),
    publicKey.replaceAll(/(.{4})/g, '$1 '),
    der.toString('base64'),
    pem,
    point,
    Buffer.from(point, 'hex').toString('base64'),
    `oca:base16:asn1:${publicKey}`,
    base64(`oca:base16:asn1:${publicKey}`),
    base64(publicKey),
  ]) {
    t.equal(readMeterKey(text)?.publicKey, publicKey, text);
  }
  for (const text of ['', 'key', '04', 'ff'.repeat(91), '-----BEGIN PUBLIC KEY-----']) {
    t.equal(readMeterKey(text), null, text);
  }
  t.match(keyFingerprint({ publicKey }), /^[0-9a-f]{64}$/);
});

void t.test('takes signed data out of its transport', async (t) => {
  const record = signingMeter().record({ code: 'B', wh: 1 });
  const at = { measuredAt: new Date(0), receivedAt: new Date(1), context: 'Transaction.Begin' };
  const json = JSON.stringify({
    signedMeterData: base64(record),
    encodingMethod: 'OCMF',
    signingMethod: '',
    publicKey: 'K',
  });
  for (const value of [record, base64(record), Buffer.from(record).toString('hex'), ` ${record}\n`, json]) {
    t.match(signedValueOf(transportedIn(value), at), { nature: 'START', format: 'OCMF', data: record });
  }
  t.match(signedValueOf(transportedIn(json), at), {
    encodingMethod: 'OCMF',
    signingMethod: null,
    claimedKey: 'K',
  });
  t.match(signedValueOf(transportedIn('{"a":1}'), { ...at, context: 'Sample.Periodic' }), {
    nature: 'INTERMEDIATE',
    format: 'OTHER',
    data: '{"a":1}',
  });
});

void t.test('reads the register of imported energy that a record states as good', async (t) => {
  const good = { RI: '1-b:1.8.0', RU: 'kWh', ST: 'G' };
  t.same(
    registers({ ...good, TX: 'B', RV: 1.001 }, { TX: 'E', RV: 2 }),
    [1001, 2000],
    'fields are inherited',
  );
  for (const TX of ['L', 'R', 'A', 'P']) t.same(registers({ ...good, TX, RV: 2 }), [null, 2000], TX);
  t.same(registers({ ...good, TX: 'X', RV: 2 }), [null, null], 'an exception ends nothing');
  t.same(registers({ ...good, TX: 'B', RV: 1, ST: 'E' }), [null, null], 'the meter states an error');
  t.same(registers({ ...good, TX: 'B', RV: 1, EF: 'E' }), [null, null], 'the energy is not usable');
  t.same(registers({ ...good, TX: 'B', RV: 1, RI: '1-0:2.8.0' }), [null, null], 'exported energy');
  t.same(registers({ ...good, TX: 'B', RV: 1, RU: 'mOhm' }), [null, null], 'another unit');
  t.same(
    registers(
      { ...good, TX: 'B', RI: '01-00:B2.08.00.FF', RV: 0 },
      { TX: 'E', RV: 5 },
      { TX: 'E', RI: '01-00:B3.08.00.FF', RV: 6 },
    ),
    [0, 5000],
    'the first register counts',
  );
  t.same(registers({ ...good, TX: 'B', RI: '01-00:01.08.00*FF', RV: 1 }), [1000, null], 'leading zeros');
  t.same(
    registers({ ...good, TX: 'B', RV: 1 }, { TX: 'X', RV: 2 }, { TX: 'E', RV: 3 }),
    [1000, null],
    'no end is usable after an exception',
  );
});

void t.test('derives the state of a session from its values', async (t) => {
  const start = value('VERIFIED', { nature: 'START', startWh: 100 });
  const end = value('VERIFIED', { nature: 'END', endWh: 5100.5 });
  const invalidEnd = value('INVALID', { nature: 'END' });
  for (const [values, signatureState, signedEnergyWh] of [
    [[], 'NONE', null],
    [[start], 'INCOMPLETE', null],
    [[start, end], 'VERIFIED', 5000.5],
    [[value('VERIFIED', { startWh: 1, endWh: 2 })], 'VERIFIED', 1],
    [[start, value('UNVERIFIED')], 'UNVERIFIED', null],
    [[start, value('UNVERIFIED'), value('UNSUPPORTED')], 'UNSUPPORTED', null],
    [[start, value('UNSUPPORTED'), invalidEnd, end], 'INVALID', null],
    [[start, value('INVALID', { endWh: 7 }), end], 'INVALID', null],
    [[start, value('INVALID'), end], 'INCOMPLETE', null],
  ] as const) {
    t.same(signaturesOf(values, period), { signatureState, signedEnergyWh });
  }
});

void t.test('verifies no session with registers that do not belong to it or together', async (t) => {
  const begun = {
    nature: 'START',
    startWh: 100,
    startAt: period.startedAt,
    register: '["M","1.8.0"]',
    page: 7,
  } as const;
  const ended = {
    nature: 'END',
    endWh: 300,
    endAt: period.endedAt,
    register: '["M","1.8.0"]',
    page: 8,
  } as const;
  const stateOf = (start: Partial<CheckedValue>, end: Partial<CheckedValue> = {}) =>
    signaturesOf([value('VERIFIED', { ...begun, ...start }), value('VERIFIED', { ...ended, ...end })], period)
      .signatureState;
  t.equal(stateOf({}), 'VERIFIED');
  t.equal(stateOf({ startAt: null }, { endAt: null, page: null }), 'VERIFIED', 'unknown times and pages');
  t.equal(stateOf({ startAt: new Date(9 * hour) }), 'VERIFIED', 'a clock without daylight saving time');
  t.equal(stateOf({ startAt: new Date(9 * hour - 1) }), 'INCOMPLETE', 'a start before the session');
  t.equal(stateOf({}, { endAt: new Date(13 * hour + 1) }), 'INCOMPLETE', 'an end after the session');
  t.equal(stateOf({}, { keyId: 2n }), 'INCOMPLETE', 'another key');
  t.equal(stateOf({}, { register: '["M","B2"]' }), 'INCOMPLETE', 'another register');
  t.equal(stateOf({}, { endWh: 99 }), 'INCOMPLETE', 'a negative difference');
  t.equal(stateOf({}, { page: 6 }), 'INCOMPLETE', 'an earlier page');
  t.equal(
    stateOf({ startAt: new Date(11 * hour + 1) }, { endAt: new Date(11 * hour) }),
    'INCOMPLETE',
    'reversed',
  );
  const stale = value('VERIFIED', { ...begun, startWh: 1, startAt: new Date(0) });
  t.same(
    signaturesOf([stale, value('VERIFIED', begun), value('VERIFIED', ended)], period),
    { signatureState: 'VERIFIED', signedEnergyWh: 200 },
    'a stale register does not count',
  );
});

void t.test('reads meter, register, time and page of a record', async (t) => {
  t.same(registersIn({}), {
    startWh: 1,
    endWh: null,
    startAt: new Date('2026-03-29T01:00:00.500Z'),
    endAt: null,
    register: '["G","M","1-b:1.8.0"]',
    page: 12,
  });
  for (const PG of ['F12', 12, 'T', 'T9999999999']) t.equal(registersIn({ PG })?.page, null, String(PG));
  for (const TM of [
    '2026-03-29T03:00:00,500+0200 U',
    '0000-01-01T00:00:00,000+0000 S',
    '2026-99-01T00:00:00,000+0000 S',
    1,
  ]) {
    t.equal(registersIn({}, { TM })?.startAt, null, String(TM));
  }
  t.equal(registersIn({}, { EF: 't' })?.startAt, null, 'the time is not usable');
});

void t.test(
  'flags an invalid signature, one that is not verified, and another energy than the billed one',
  async (t) => {
    t.same(flagsOf('VERIFIED'), []);
    t.same(flagsOf('VERIFIED', true, 5021), ['signed-energy-mismatch']);
    t.same(flagsOf('INVALID'), ['signature-invalid']);
    for (const state of ['NONE', 'UNVERIFIED', 'INCOMPLETE', 'UNSUPPORTED'] as const) {
      t.same(flagsOf(state), ['signature-unverified'], `${state} although a key is registered`);
      t.same(flagsOf(state, false), [], state);
    }
  },
);

void t.test('keeps a value verified and checks the others again', async (t) => {
  for (const from of valueStates) {
    t.equal(valueTransitions[from].VERIFIED, 'VERIFIED', from);
    t.equal(valueTransitions[from].UNVERIFIED, from === 'VERIFIED' ? 'VERIFIED' : 'UNVERIFIED', from);
    t.equal(valueTransitions[from].INVALID, from === 'VERIFIED' ? 'VERIFIED' : 'INVALID', from);
  }
});
