import { RPCClient } from 'ocpp-rpc';
import t from 'tap';
import { seedCharger, seedNetwork } from '#shared/testing/seed.ts';
import { attempt, overTls as overTlsWith } from './support/handshakes.ts';
import { startRig } from './support/rig.ts';

const secret = 'a-secret-of-the-proxy';

const overTls = (certificate?: Parameters<typeof overTlsWith>[1]) => overTlsWith(secret, certificate);

void t.test('security profiles', async (t) => {
  const rig = await startRig(t, { TRUSTED_PROXIES: '10.0.0.0/8, 127.0.0.1', PROXY_SECRET: secret });
  const { sql } = rig.stores;
  const register = (securityProfile: number, certificateCn?: string) =>
    seedCharger(sql, rig.network.id, { securityProfile, ...(certificateCn && { certificateCn }) });

  await t.test('0: requires nothing where the network allows it', async (t) => {
    const charger = await register(0);
    t.equal(await attempt(rig, charger), 403);
    t.equal(await attempt(rig, charger, { password: charger.password }), 403, 'a password changes nothing');
    const open = await seedNetwork(sql);
    await sql`update networks set allow_unauthenticated_chargers = true where id = ${open.id}`;
    const guest = await seedCharger(sql, open.id, { securityProfile: 0 });
    t.equal(await attempt(rig, guest), 101);
    t.equal(await attempt(rig, guest, { password: 'wrong' }), 101);
    const neighbour = await seedCharger(sql, open.id);
    t.equal(await attempt(rig, neighbour), 401, 'others of that network need what their profile asks for');
  });

  await t.test('1: requires the password over any connection', async (t) => {
    const charger = await register(1);
    const { password } = charger;
    t.equal(await attempt(rig, charger, { password }), 101);
    t.equal(await attempt(rig, charger, { password, headers: overTls() }), 101);
    t.equal(await attempt(rig, charger, { headers: overTls() }), 401);
    const named = overTls({ commonName: charger.uid });
    t.equal(await attempt(rig, charger, { headers: named }), 401, 'a certificate is no password');
  });

  await t.test('2: requires the password over TLS', async (t) => {
    const charger = await register(2);
    const { password } = charger;
    t.equal(await attempt(rig, charger, { password }), 403);
    t.equal(await attempt(rig, charger, { password: 'wrong' }), 403, 'no reason is given');
    t.equal(await attempt(rig, charger, { password, headers: overTls() }), 101);
    t.equal(await attempt(rig, charger, { password: 'wrong', headers: overTls() }), 401);
    t.equal(await attempt(rig, charger, { headers: overTls({ commonName: charger.uid }) }), 401);
    const headers = overTls({ commonName: 'its maker’s', verify: 20 });
    t.equal(await attempt(rig, charger, { password, headers }), 101, 'a certificate of its maker');
  });

  await t.test('3: requires a valid certificate that names the charger', async (t) => {
    const charger = await register(3);
    const { uid, password } = charger;
    const named = await register(3, 'Série 123');
    t.equal(await attempt(rig, charger, { headers: overTls({ commonName: uid }) }), 101);
    t.equal(await attempt(rig, named, { headers: overTls({ commonName: 'Série 123' }) }), 101);
    t.equal(await attempt(rig, named, { headers: overTls({ commonName: named.uid }) }), 101);
    t.equal(await attempt(rig, charger, { password }), 403, 'no falling back to a password');
    t.equal(await attempt(rig, charger, { password, headers: overTls() }), 403, 'nor over TLS');
    for (const wrong of [
      { commonName: named.uid },
      { commonName: '' },
      { commonName: `${uid}0` },
      { commonName: `${uid}\0` },
      { commonName: uid.toLowerCase() },
      { commonName: uid, verify: 10 },
      { commonName: uid, verify: 20 },
    ]) {
      t.equal(await attempt(rig, charger, { password, headers: overTls(wrong) }), 403, JSON.stringify(wrong));
    }
    const withoutTls = { ...overTls({ commonName: uid }), 'X-Chargeway-Tls': '' };
    t.equal(await attempt(rig, charger, { headers: withoutTls }), 403);
  });

  await t.test('ignores the serial number of BootNotification for certificates', async (t) => {
    const charger = await register(3);
    const options = {
      endpoint: rig.ocppUrl,
      identity: charger.uid,
      protocols: ['ocpp1.6'],
      reconnect: false,
      headers: overTls({ commonName: charger.uid }),
    };
    // The package's types ask for every option that it has a default for.
    const client = new RPCClient(options as unknown as ConstructorParameters<typeof RPCClient>[0]);
    await client.connect();
    await client.call('BootNotification', {
      chargePointVendor: 'V',
      chargePointModel: 'M',
      chargePointSerialNumber: 'SOMEBODY-ELSE',
    });
    await client.close();
    const [row] = await sql`select serial_number from chargers where id = ${charger.id}`;
    t.match(row, { serial_number: 'SOMEBODY-ELSE' });
    t.equal(await attempt(rig, charger, { headers: overTls({ commonName: 'SOMEBODY-ELSE' }) }), 403);
    t.equal(await attempt(rig, charger, { headers: overTls({ commonName: charger.uid }) }), 101);
  });

  await t.test('ignores headers of clients that are not the proxy', async (t) => {
    const charger = await register(3);
    const headers = overTls({ commonName: charger.uid });
    t.equal(await attempt(rig, charger, { headers }), 101, 'the proxy is');
    t.equal(await attempt(rig, charger, { from: '127.0.0.2', headers }), 403, 'another address');
    const forwarded = { ...headers, 'X-Forwarded-For': '127.0.0.1', Forwarded: 'for=127.0.0.1' };
    t.equal(await attempt(rig, charger, { from: '127.0.0.2', headers: forwarded }), 403);
    for (const wrong of ['', 'none', secret.slice(1), `${secret}x`, secret.toUpperCase()]) {
      const pretended = { ...headers, 'X-Chargeway-Proxy-Secret': wrong };
      t.equal(await attempt(rig, charger, { headers: pretended }), 403, `the secret ${wrong}`);
    }
    const basic = await register(1);
    const { password } = basic;
    t.equal(
      await attempt(rig, basic, { from: '127.0.0.2', password, headers: overTls() }),
      101,
      'what is pretended is ignored, and the charger let in by what it proves',
    );
  });
});

void t.test('ignores proxy headers without TRUSTED_PROXIES', async (t) => {
  const rig = await startRig(t);
  const charger = await seedCharger(rig.stores.sql, rig.network.id, { securityProfile: 3 });
  t.equal(await attempt(rig, charger, { headers: overTls({ commonName: charger.uid }) }), 403);
});

void t.test('trusts the address of a proxy without PROXY_SECRET', async (t) => {
  const rig = await startRig(t, { TRUSTED_PROXIES: '127.0.0.0/30' });
  const charger = await seedCharger(rig.stores.sql, rig.network.id, { securityProfile: 3 });
  const headers = overTls({ commonName: charger.uid });
  t.equal(await attempt(rig, charger, { from: '127.0.0.2', headers }), 101);
  t.equal(await attempt(rig, charger, { from: '127.0.0.5', headers }), 403);
});
