import t from 'tap';
import { base32, passwordAt, stepOf, totpUri } from '#shared/domain/access/one-time-passwords.ts';
import { stateAfter } from '#shared/domain/access/login-challenge.ts';

const secret = Buffer.from('12345678901234567890');

void t.test('makes the passwords of RFC 6238, appendix B', async (t) => {
  for (const [seconds, password] of [
    [59, '287082'],
    [1_111_111_109, '081804'],
    [1_234_567_890, '005924'],
    [20_000_000_000, '353130'],
  ] as const) {
    t.equal(passwordAt(secret, Math.floor(seconds / 30)), password);
  }
});

void t.test('accepts the passwords of the present step and its neighbours, each once', async (t) => {
  const now = new Date(59_000);
  t.equal(stepOf(secret, '287082', now, 0), 1);
  t.equal(stepOf(secret, passwordAt(secret, 2), now, 0), 2);
  t.equal(stepOf(secret, passwordAt(secret, 3), now, 0), null, 'two steps ahead');
  t.equal(stepOf(secret, '287082', now, 1), null, 'used before');
  t.equal(stepOf(secret, passwordAt(secret, 0), now, 1), null, 'before one that was used');
  t.equal(stepOf(secret, '287083', now, 0), null);
});

void t.test('writes a secret for authenticator apps', async (t) => {
  t.equal(base32(secret), 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ');
  t.equal(base32(Buffer.from('f')), 'MY');
  t.equal(
    totpUri(secret, 'csms.example.org', 'ada@example.org'),
    'otpauth://totp/csms.example.org:ada%40example.org?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=csms.example.org',
  );
});

void t.test('ends a challenge with a right answer or the fifth wrong one', async (t) => {
  t.equal(stateAfter('waiting', true, 4), 'passed');
  t.equal(stateAfter('waiting', false, 3), 'waiting');
  t.equal(stateAfter('waiting', false, 4), 'failed');
  for (const state of ['passed', 'failed'] as const) t.throws(() => stateAfter(state, true, 0));
});
