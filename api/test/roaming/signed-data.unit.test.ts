import t from 'tap';
import { signatureRemark, signedDataObject } from '#api/services/roaming/wire/v221/signed-data.ts';
import type { StoredSignedValue } from '#shared/postgres/charging/signed-meter-values.statements.ts';

const at = new Date('2026-11-01T10:00:00Z');

function value(changed: Partial<StoredSignedValue>): StoredSignedValue {
  return {
    id: 1n,
    nature: 'START',
    measuredAt: at,
    receivedAt: at,
    format: 'OCMF',
    data: 'OCMF|{}|{}',
    encodingMethod: 'OCMF',
    signingMethod: null,
    claimedKey: null,
    state: 'UNVERIFIED',
    keyId: null,
    publicKey: null,
    startWh: null,
    endWh: null,
    startAt: null,
    endAt: null,
    register: null,
    page: null,
    ...changed,
  };
}

const verified = { state: 'VERIFIED', keyId: 1n, publicKey: 'AA' } as const;
const naturesOf = (values: StoredSignedValue[]) =>
  signedDataObject(values)?.signed_values.map(({ nature }) => nature);
const keyOf = (...values: Partial<StoredSignedValue>[]) => signedDataObject(values.map(value))?.public_key;

void t.test('sends a key only with the values that it verified', (t) => {
  const end = { nature: 'END' } as const;
  t.equal(keyOf(verified, { ...verified, ...end }), 'AA');
  t.equal(keyOf(verified, end), undefined, 'an unverified value');
  t.equal(keyOf(verified, { ...verified, ...end, keyId: 2n, publicKey: 'BB' }), undefined, 'another key');
  t.equal(keyOf(verified, { ...end, state: 'INVALID' }), 'AA', 'an invalid value is not sent');
  t.equal(keyOf({}, end), undefined);
  t.end();
});

void t.test('sends no invalid values', (t) => {
  const invalid = value({ state: 'INVALID', format: 'ALFEN' });
  t.strictSame(naturesOf([invalid, value({ nature: 'END' })]), ['End']);
  t.equal(signedDataObject([invalid]), null);
  t.end();
});

void t.test('writes the state of the signed values in words', (t) => {
  t.equal(signatureRemark({ signatureState: 'NONE', flags: [] }), null);
  t.equal(
    signatureRemark({ signatureState: 'VERIFIED', flags: ['signed-energy-mismatch'] }),
    'Signed meter values: verified, billed energy differs from signed energy.',
  );
  t.equal(
    signatureRemark({ signatureState: 'INVALID', flags: ['signature-invalid'] }),
    'Signed meter values: a signature at start or end is invalid.',
  );
  t.end();
});
