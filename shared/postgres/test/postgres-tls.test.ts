import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TLSSocket } from 'node:tls';
import t, { type Test } from 'tap';
import { openPostgres } from '#shared/postgres/kernel/client.ts';
import { testStores } from '#shared/testing/stores.ts';
import { createTestAuthority, type KeyedCertificate } from '#shared/testing/certificates.ts';

/** Starts a server that speaks TLS as PostgreSQL does and passes connections on to `databaseUrl`; returns its port. */
async function tlsServer(t: Test, databaseUrl: string, { cert, key }: KeyedCertificate): Promise<number> {
  const { hostname, port } = new URL(databaseUrl);
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    // SSLRequest of 8 bytes, answered with S.
    socket.once('data', () => {
      socket.write('S');
      const secured = new TLSSocket(socket, { isServer: true, cert, key });
      const database = connect(Number(port), hostname);
      secured.on('error', () => database.destroy());
      secured.on('close', () => database.destroy());
      secured.pipe(database).pipe(secured);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => server.close());
  return (server.address() as AddressInfo).port;
}

void t.test('verifies the certificate of PostgreSQL with sslmode and sslrootcert', async (t) => {
  const { databaseUrl } = await testStores(t);
  const directory = mkdtempSync(join(tmpdir(), 'chargeway-test-tls-'));
  t.teardown(() => rmSync(directory, { recursive: true, force: true }));
  const authority = await createTestAuthority('PostgreSQL');
  const rootOf = (name: string, pem: string) => {
    const file = join(directory, `${name}.pem`);
    writeFileSync(file, pem);
    return file;
  };
  const root = rootOf('root', authority.root);
  const other = rootOf('other', (await createTestAuthority('Other')).root);
  // Its certificate is for the address, not for the name.
  const port = await tlsServer(t, databaseUrl, await authority.issue('db', { forServer: true }));
  const query = async (host: '127.0.0.1' | 'localhost', parameters: string) => {
    const url = new URL(databaseUrl);
    url.host = `${host}:${port}`;
    url.search = parameters;
    const sql = openPostgres(url.href, { name: 'tls', connections: 1, timeoutMs: 10_000 });
    t.teardown(() => sql.end({ timeout: 0 }));
    return sql`select 1 as one`.then(
      () => 'answered',
      (error: Error & { code: string }) => error.code,
    );
  };

  t.equal(await query('127.0.0.1', `sslmode=verify-full&sslrootcert=${root}`), 'answered');
  t.equal(await query('localhost', `sslmode=verify-ca&sslrootcert=${root}`), 'answered');
  t.equal(await query('127.0.0.1', 'sslmode=require'), 'answered');
  t.equal(
    await query('localhost', `sslmode=verify-full&sslrootcert=${root}`),
    'ERR_TLS_CERT_ALTNAME_INVALID',
    'a certificate of another host',
  );
  t.equal(
    await query('127.0.0.1', `sslmode=verify-full&sslrootcert=${other}`),
    'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
    'a certificate of another authority',
  );
  t.match(
    await query('127.0.0.1', 'sslmode=verify-full'),
    /^(UNABLE_TO|SELF_SIGNED)/,
    'no trusted authority',
  );
});
