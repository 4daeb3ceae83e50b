import t from 'tap';
import type { Json } from '#api/test/support/fixtures.ts';
import { triedRoutes, walkChanges } from '#api/test/support/walk-changes.ts';

/** Those that need more than one request: the files that test them look at their entries. */
const elsewhere = new Set([
  // ocpi/pushes.test.ts
  'POST /cpms/v1/ocpi-partners/{uuid}/resync',
  // roaming/our-handshake.test.ts
  'POST /cpms/v1/ocpi-partners/{uuid}/handshake',
  'POST /cpms/v1/ocpi-partners/{uuid}/rotate-token',
  // roaming/exchange-log.test.ts
  'POST /cpms/v1/ocpi-exchanges/{id}/retry',
  // ocpi/token-owners.test.ts
  'POST /cpms/v1/ocpi-tokens/owner',
  // events/webhook-failures.test.ts
  'POST /cpms/v1/webhooks/{uuid}/dead-letters/{id}/replay',
  // operator-login.test.ts
  // access/browser-sessions.test.ts
  'POST /cpms/v1/auth/sessions',
  'DELETE /cpms/v1/auth/session',
  'DELETE /cpms/v1/auth/sessions',
  'DELETE /cpms/v1/auth/sessions/{id}',
  'POST /cpms/v1/auth/login',
  'POST /cpms/v1/auth/refresh',
  'POST /cpms/v1/auth/logout',
  'POST /cpms/v1/auth/change-password',
  // people/operator-password-reset.test.ts
  'POST /cpms/v1/auth/forgot-password',
  'POST /cpms/v1/auth/reset-password',
  // people/second-factors.test.ts
  'POST /cpms/v1/auth/login/second-factor',
  'POST /cpms/v1/auth/sessions/second-factor',
  'POST /cpms/v1/auth/second-factors',
  'POST /cpms/v1/auth/second-factors/{uuid}/confirm',
  'POST /cpms/v1/auth/second-factors/{uuid}/remove',
  'POST /cpms/v1/auth/recovery-codes',
  'DELETE /cpms/v1/operators/{uuid}/second-factors',
]);

/** Those that change nothing, and readings of meters, which are not stored. */
const unchanging = new Set([
  'POST /cpms/v1/tariffs/simulate',
  'POST /cpms/v1/load-sites/{uuid}/simulate',
  'PUT /cpms/v1/load-sites/{uuid}/circuits/{circuitId}/meter',
]);

void t.test('every route that changes or commands leaves exactly one entry in the audit log', async (t) => {
  const api = await walkChanges(t, async ({ stores: { sql } }, _key, { step: { route, refused }, send }) => {
    const entries = async () => Number((await sql`select count(*) from audit_log`)[0]?.['count']);
    const before = await entries();
    const answer = await send();
    const code = answer.status < 300 ? undefined : answer.json['error']?.['code'];
    t.equal(code, refused, `${route}: ${answer.status} ${answer.text}`);
    t.equal((await entries()) - before, 1, `${route}: one entry`);
    return answer;
  });

  const { paths } = (await api.call(null, { url: '/openapi.json' })).json;
  const routes = Object.entries(paths as Json).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  );
  const tried = new Set([...triedRoutes, ...elsewhere, ...unchanging]);
  const changing = routes.filter((route) => /^(POST|PATCH|PUT|DELETE) \/cpms\//.test(route));
  t.strictSame(
    changing.filter((route) => !tried.has(route)),
    [],
    'a new route gets its step in operator-changes.ts',
  );
});
