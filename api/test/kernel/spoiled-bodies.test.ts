import t from 'tap';
import { walkChanges } from '#api/test/support/walk-changes.ts';
import { spoiled } from '#api/test/support/spoiled.ts';

void t.test('no body makes a change of /cpms/v1 fail', async (t) => {
  let refused = 0;
  await walkChanges(t, async (api, key, { step: { route, headers = {} }, url, body, send }) => {
    const answer = await send();
    if (body === undefined || Buffer.isBuffer(body)) return answer;
    const method = route.split(' ')[0] as 'POST';
    const failed: object[] = [];
    for (const payload of spoiled(body)) {
      const { status, json, text } = await api.call(key, { method, url, payload, headers });
      if (status >= 500) failed.push({ payload, text });
      else if (status >= 400) {
        refused += 1;
        if (typeof json['error']?.['code'] !== 'string') failed.push({ payload, text });
      }
    }
    t.same(failed, [], route);
    // With several networks, each request must name its own.
    await api.stores.sql`update networks set deleted_at = now() where id <> ${api.network.id}`;
    return answer;
  });
  t.ok(refused > 500, `${refused} refused`);
});
