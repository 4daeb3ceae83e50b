import t from 'tap';
import { AdmissionLimit } from '#gateway/connections/admission-limit.ts';
import type { Admission, UpgradeRequest } from '#gateway/socket/server.ts';

const request: UpgradeRequest = {
  uid: 'CP-1',
  basic: null,
  protocols: ['ocpp1.6'],
  askedAt: 0,
  transport: { remoteAddress: '127.0.0.1', isTls: false, certificate: null, isPretending: false },
};

/** A limit of two whose upgrades wait until they are decided. */
function limitOfTwo() {
  const deciding: (() => void)[] = [];
  const limit = new AdmissionLimit<string>({
    maxAtOnce: 2,
    admitKnown: ({ uid }) =>
      uid === 'KNOWN' ? { admitted: true, protocol: 'ocpp1.6', guest: 'known' } : null,
    admit: () =>
      new Promise<Admission<string>>((resolve) => {
        deciding.push(() => resolve({ admitted: true, protocol: 'ocpp1.6', guest: 'guest' }));
      }),
  });
  return { limit, decide: () => deciding.shift()?.() };
}

const later = { admitted: false, status: '503 Service Unavailable' };

void t.test('refuses upgrades beyond the limit, each with a retry time of its own', async (t) => {
  const { limit, decide } = limitOfTwo();
  const waiting = [limit.admit(request), limit.admit(request)];
  const refused = await Promise.all(Array.from({ length: 200 }, async () => limit.admit(request)));
  t.ok(refused.every((answer) => 'status' in answer && answer.status === later.status));
  const seconds = refused.map((answer) =>
    Number('headers' in answer ? answer.headers?.['Retry-After'] : Number.NaN),
  );
  t.ok(Math.min(...seconds) >= 10 && Math.max(...seconds) <= 20, 'within 10 to 20 s');
  t.ok(new Set(seconds).size > 5, 'spread');
  decide();
  t.match(await waiting[0], { admitted: true });
  const next = limit.admit(request);
  decide();
  decide();
  t.match(await Promise.all([waiting[1], next]), [{ admitted: true }, { admitted: true }], 'room again');
});

void t.test('sends waiting upgrades elsewhere when the gateway closes', async (t) => {
  const { limit, decide } = limitOfTwo();
  const waiting = limit.admit(request);
  limit.close();
  decide();
  t.match(await waiting, later);
  t.match(await limit.admit(request), later);
});

void t.test('admits a known charger at once, however many upgrades wait', async (t) => {
  const { limit, decide } = limitOfTwo();
  const first = limit.admit(request);
  const second = limit.admit(request);
  t.match(limit.admit({ ...request, uid: 'KNOWN' }), { admitted: true, guest: 'known' }, 'no promise');
  decide();
  decide();
  await first;
  await second;
  limit.close();
  t.match(limit.admit({ ...request, uid: 'KNOWN' }), later, 'but nobody once the gateway closes');
});
