import t from 'tap';
import { items, mintKey, startTestApi } from '#api/test/support/fixtures.ts';
import { enveloped, startEmsp } from './support/emsp.ts';
import { credentialsOf, makePartner, ocpi } from './support/partner.ts';

void t.test('stores the callable endpoints of a partner', async (t) => {
  const api = await startTestApi(t);
  const emsp = await startEmsp(t);
  const { id, registrationToken } = await makePartner(api);
  const at = (path: string) => `${emsp.url}/${path}`;
  const credentials = { identifier: 'credentials', role: 'RECEIVER', url: at('credentials') };
  const register = (endpoints: unknown) => {
    emsp.react('/ocpi/2.2.1', { body: enveloped({ version: '2.2.1', endpoints }) }, 1);
    const payload = credentialsOf(emsp);
    return ocpi(api, registrationToken, { method: 'POST', url: '/ocpi/2.2.1/credentials', payload });
  };

  for (const url of [
    '',
    'nowhere',
    '/ocpi/credentials',
    'ftp://emsp.example/',
    'http://',
    'https://[1',
    null,
  ]) {
    const answer = await register([{ ...credentials, url }]);
    t.match(answer, { status: 200, json: { status_code: 3003 } }, `credentials at ${url}`);
  }
  t.match(await register('none'), { json: { status_code: 3003 } });
  t.match(await register([null, 7, [credentials]]), { json: { status_code: 3003 } });

  const listed = await register([
    credentials,
    { identifier: 'locations', role: 'RECEIVER', url: 'javascript:alert(1)' },
    { identifier: 'sessions', role: 'RECEIVER', url: 'emsp.example/sessions' },
    { identifier: 'cdrs', role: 'RECEIVER', url: at('x'.repeat(1024)) },
    { identifier: 'hubclientinfo', role: 'RECEIVER', url: at('\0') },
    { identifier: '\0', role: 'RECEIVER', url: at('x') },
    { identifier: 'x'.repeat(65), role: 'RECEIVER', url: at('x') },
    { identifier: 'tokens', url: at('tokens') },
  ]);
  t.match(listed, { json: { status_code: 1000 } }, 'invalid parties of others do not matter');
  const shown = await api.call(await mintKey(api), { url: `/cpms/v1/ocpi-partners/${id}` });
  t.strictSame(items(shown.json['data']?.['endpoints']), [
    credentials,
    { identifier: 'tokens', role: 'RECEIVER', url: at('tokens') },
  ] as never);
});
