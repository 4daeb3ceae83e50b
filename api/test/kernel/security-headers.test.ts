import t from 'tap';
import { mintKey, startTestApi } from '#api/test/support/fixtures.ts';

void t.test('forbids loading from and framing of every answer', async (t) => {
  const api = await startTestApi(t);
  const key = await mintKey(api);
  for (const [url, status, caller] of [
    ['/cpms/v1/chargers', 200, key],
    ['/cpms/v1/chargers', 401, null],
    ['/nowhere', 404, null],
    ['/openapi.json', 200, null],
    ['/health/live', 200, null],
  ] as const) {
    const answer = await api.call(caller, { url });
    t.equal(answer.status, status, url);
    t.match(answer.headers, {
      'content-security-policy': "default-src 'none';frame-ancestors 'none'",
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'SAMEORIGIN',
      'strict-transport-security': /^max-age=\d{8,}; includeSubDomains$/,
    });
    t.notOk('x-powered-by' in answer.headers);
  }
});
