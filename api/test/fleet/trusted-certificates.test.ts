import t from 'tap';
import { testRootCertificate } from '#gateway/test/support/root-certificate.ts';
import { contractPki } from '#shared/testing/contract-pki.ts';
import { items, mintKey, startTestApi } from '#api/test/support/fixtures.ts';

void t.test('the authorities that a network trusts', async (t) => {
  const api = await startTestApi(t);
  const key = await mintKey(api);
  const url = `/cpms/v1/networks/${api.network.uuid}/trusted-certificates`;
  const list = async () => items((await api.call(key, { url })).json['data']);
  const trust = (certificate: string, asKey: string | null = key) =>
    api.call(asKey, { method: 'POST', url, payload: { certificate } });

  await t.test('are added once, listed and removed', async (t) => {
    const added = await trust(testRootCertificate.pem);
    t.match(added, { status: 201, json: { data: { subject: /Test root/, pem: testRootCertificate.pem } } });
    t.same((await trust(testRootCertificate.pem)).json['data'], added.json['data']);
    t.same(await list(), [added.json['data']]);
    const id = added.json['data']?.['id'] as unknown as string;
    const remove = () => api.call(key, { method: 'DELETE', url: `${url}/${id}` });
    t.match(await remove(), { status: 200, json: { data: { id, deleted: true } } });
    t.match(await remove(), { status: 404, json: { error: { code: 'CERTIFICATE_NOT_FOUND' } } });
    t.same(await list(), []);
  });

  await t.test('are certificates of authorities', async (t) => {
    const pki = await contractPki(t);
    const { pem } = await pki.contract('NLHRBC00000042');
    for (const certificate of [pem, 'nothing', '']) {
      t.match(await trust(certificate), { status: 400, json: { error: { code: 'VALIDATION_FAILED' } } });
    }
  });

  await t.test('are changed by operators of the network only', async (t) => {
    const added = await trust(testRootCertificate.pem);
    const id = added.json['data']?.['id'] as unknown as string;
    const other = await mintKey(api, { networkIds: [api.otherNetwork.id] });
    const reader = await mintKey(api, { scopes: ['cpms:read'] });
    const driver = await mintKey(api, { apiFamily: 'emsp', scopes: [] });
    for (const [asKey, status, code] of [
      [other, 404, 'NETWORK_NOT_FOUND'],
      [driver, 403, 'API_FAMILY_MISMATCH'],
      [null, 401, 'KEY_MISSING'],
    ] as const) {
      t.match(await api.call(asKey, { url }), { status, json: { error: { code } } });
      t.match(await trust(testRootCertificate.pem, asKey), { status, json: { error: { code } } });
      const removed = await api.call(asKey, { method: 'DELETE', url: `${url}/${id}` });
      t.match(removed, { status, json: { error: { code } } });
    }
    t.match(await trust(testRootCertificate.pem, reader), { status: 403 });
    const elsewhere = `/cpms/v1/networks/${api.otherNetwork.uuid}/trusted-certificates/${id}`;
    t.match(await api.call(other, { method: 'DELETE', url: elsewhere }), { status: 404 });
    t.equal((await list()).length, 1);
  });
});
