import t from 'tap';
import { HandshakeLimit } from '#gateway/connections/handshake-limit.ts';
import type { HandshakeResult, UpgradeRequest } from '#gateway/socket/server.ts';

const request: UpgradeRequest = {
  uid: 'CP-1',
  basic: null,
  protocols: ['ocpp1.6'],
  requestedAt: 0,
  transport: { remoteAddress: '127.0.0.1', isTls: false, certificate: null, isPretending: false },
};

/** A limit of two whose upgrades wait until they are decided. */
function limitOfTwo() {
  const deciding: (() => void)[] = [];
  const limit = new HandshakeLimit<string>({
    maxAtOnce: 2,
    authenticateKnown: ({ uid }) =>
      uid === 'KNOWN' ? { accepted: true, protocol: 'ocpp1.6', identity: 'known' } : null,
    authenticate: () =>
      new Promise<HandshakeResult<string>>((resolve) => {
        deciding.push(() => resolve({ accepted: true, protocol: 'ocpp1.6', identity: 'guest' }));
      }),
  });
  return { limit, decide: () => deciding.shift()?.() };
}

const later = { accepted: false, status: '503 Service Unavailable' };

void t.test('refuses upgrades beyond the limit, each with a retry time of its own', async (t) => {
  const { limit, decide } = limitOfTwo();
  const waiting = [limit.authenticate(request), limit.authenticate(request)];
  const refused = await Promise.all(Array.from({ length: 200 }, async () => limit.authenticate(request)));
  t.ok(refused.every((answer) => 'status' in answer && answer.status === later.status));
  const seconds = refused.map((answer) =>
    Number('headers' in answer ? answer.headers?.['Retry-After'] : Number.NaN),
  );
  t.ok(Math.min(...seconds) >= 10 && Math.max(...seconds) <= 20, 'within 10 to 20 s');
  t.ok(new Set(seconds).size > 5, 'spread');
  decide();
  t.match(await waiting[0], { accepted: true });
  const next = limit.authenticate(request);
  decide();
  decide();
  t.match(await Promise.all([waiting[1], next]), [{ accepted: true }, { accepted: true }], 'room again');
});

void t.test('sends waiting upgrades elsewhere when the gateway closes', async (t) => {
  const { limit, decide } = limitOfTwo();
  const waiting = limit.authenticate(request);
  limit.close();
  decide();
  t.match(await waiting, later);
  t.match(await limit.authenticate(request), later);
});

void t.test('admits a known charger at once, however many upgrades wait', async (t) => {
  const { limit, decide } = limitOfTwo();
  const first = limit.authenticate(request);
  const second = limit.authenticate(request);
  t.match(
    limit.authenticate({ ...request, uid: 'KNOWN' }),
    { accepted: true, identity: 'known' },
    'no promise',
  );
  decide();
  decide();
  await first;
  await second;
  limit.close();
  t.match(limit.authenticate({ ...request, uid: 'KNOWN' }), later, 'but no charger once the gateway closes');
});
