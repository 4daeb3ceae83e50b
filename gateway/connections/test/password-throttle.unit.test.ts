import t from 'tap';
import { PasswordThrottle } from '#gateway/connections/password-throttle.ts';
import type { UpgradeRequest } from '#gateway/socket/server.ts';

function requestOf(uid: string, remoteAddress = '203.0.113.7'): UpgradeRequest {
  return {
    uid,
    basic: { user: uid, password: Buffer.from('wrong') },
    protocols: ['ocpp1.6'],
    requestedAt: 0,
    transport: { remoteAddress, isTls: false, certificate: null, isPretending: false },
  };
}

void t.test(
  'checks ten wrong passwords of an identity at once and one each ten seconds after that',
  async (t) => {
    let now = 1_000_000;
    const throttle = new PasswordThrottle(() => now);
    const request = requestOf('CP-1');
    for (let index = 0; index < 10; index += 1) {
      t.equal(throttle.retryAfter(request), 0);
      throttle.failed(request);
    }
    t.equal(throttle.retryAfter(request), 10);
    now += 9999;
    t.equal(throttle.retryAfter(request), 1);
    now += 1;
    t.equal(throttle.retryAfter(request), 0, 'one more is checked');
    throttle.failed(request);
    t.equal(throttle.retryAfter(request), 10);
    now += 100_000;
    for (let index = 0; index < 9; index += 1) throttle.failed(request);
    t.equal(throttle.retryAfter(request), 0, 'the burst is available again');
  },
);

void t.test('keeps the attempts of an identity at one address from those at another', async (t) => {
  const throttle = new PasswordThrottle(() => 0);
  for (let index = 0; index < 10; index += 1) throttle.failed(requestOf('CP-1'));
  t.equal(throttle.retryAfter(requestOf('CP-1')), 10);
  t.equal(throttle.retryAfter(requestOf('CP-1', '198.51.100.1')), 0);
  t.equal(throttle.retryAfter(requestOf('CP-2')), 0);
});

void t.test('checks 200 wrong passwords of an address at once, of whatever identities', async (t) => {
  let now = 0;
  const throttle = new PasswordThrottle(() => now);
  for (let index = 0; index < 200; index += 1) {
    const request = requestOf(`CP-${index}`);
    t.equal(throttle.retryAfter(request), 0);
    throttle.failed(request);
  }
  t.equal(throttle.retryAfter(requestOf('CP-200')), 1);
  t.equal(throttle.retryAfter(requestOf('CP-200', '198.51.100.1')), 0, 'another address');
  now += 100;
  t.equal(throttle.retryAfter(requestOf('CP-200')), 0);
});
