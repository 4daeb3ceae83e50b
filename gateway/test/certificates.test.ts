import { X509Certificate } from 'node:crypto';
import { join } from 'node:path';
import type { RPCClient } from 'ocpp-rpc';
import t from 'tap';
import { openLocalAuthority } from '#shared/certificates/local-authority.ts';
import {
  makeSigningRequest,
  opensslRequest,
  testDirectory,
} from '#shared/certificates/test/support/signing-request.ts';
import type { Sql } from '#shared/postgres/kernel/client.ts';
import { until } from '#shared/testing/until.ts';
import { startRig } from './support/rig.ts';

interface Delivered {
  certificateChain: string;
  certificateType?: string;
}

/** Answers CertificateSigned with `answer` and keeps the delivered certificates. */
function takeCertificates(client: RPCClient, answer: () => string): Delivered[] {
  const delivered: Delivered[] = [];
  const take = ({ params }: { params: Delivered }) => {
    delivered.push(params);
    return { status: answer() };
  };
  client.handle('CertificateSigned', take as never);
  return delivered;
}

function requestsOf(sql: Sql, chargerId: number): Promise<{ status: string; reason: string | null }[]> {
  return sql`select status, reason from certificate_requests where charger_id = ${chargerId} order by id`;
}

async function outcome(sql: Sql, chargerId: number, status: string): Promise<void> {
  await until(`a request that is ${status}`, async () =>
    (await requestsOf(sql, chargerId)).some((request) => request.status === status),
  );
}

// One gateway for all of these: each has chargers of its own. Its authority exists before it starts, as a shared one does.
const authorityDirectory = join(testDirectory(t), 'authority');
const { root: rootPem } = await openLocalAuthority(authorityDirectory);
const rig = await startRig(t, { CERTIFICATE_AUTHORITY_DIR: authorityDirectory });
const { sql } = rig.stores;

void t.test('signs a certificate request of a charger, in both versions', async (t) => {
  for (const version of ['ocpp1.6', 'ocpp2.0.1'] as const) {
    const { charger, client } = await rig.connect(version);
    const delivered = takeCertificates(client, () => 'Accepted');
    const csr = opensslRequest(testDirectory(t), `/CN=${charger.uid}/O=Anyone`);
    t.match(await client.call('SignCertificate', { csr }), { status: 'Accepted' });
    await outcome(sql, charger.id, 'Installed');
    const certificate = new X509Certificate(delivered[0]?.certificateChain ?? '');
    t.match(certificate.subject, `CN=${charger.uid}\nO=${rig.network.slug}`);
    t.ok(certificate.checkIssued(new X509Certificate(rootPem)), 'issued by the shared authority');
    t.notOk('certificateType' in (delivered[0] ?? {}), 'what was not asked is not said');
    const held = await sql<{ pem: string; serial: string; type: string }[]>`
      select pem, serial_number as serial, certificate_type as type from charger_certificates
      where charger_id = ${charger.id} and deleted_at is null`;
    t.equal(held.length, 1);
    t.equal(held[0]?.type, 'ChargingStationCertificate');
    t.ok(certificate.serialNumber.toLowerCase().endsWith(held[0]?.serial ?? 'none'));
    t.notMatch(held[0]?.pem, /PRIVATE/);
  }
});

void t.test(
  'returns the same certificate for a repeated request and replaces it for a new one',
  async (t) => {
    const { charger, client } = await rig.connect('ocpp2.0.1');
    const delivered = takeCertificates(client, () => 'Accepted');
    const ask = async (csr: string, times: number) => {
      await client.call('SignCertificate', { csr, certificateType: 'ChargingStationCertificate' });
      await until('the certificate', async () => delivered.length === times);
    };
    const csr = await makeSigningRequest(`CN=${charger.uid}`);
    await ask(csr, 1);
    await outcome(sql, charger.id, 'Installed');
    await ask(csr, 2);
    t.equal(delivered[1]?.certificateChain, delivered[0]?.certificateChain);
    t.equal(delivered[1]?.certificateType, 'ChargingStationCertificate');
    t.equal((await requestsOf(sql, charger.id)).length, 1);

    await ask(await makeSigningRequest(`CN=${charger.uid}`), 3);
    t.not(delivered[2]?.certificateChain, delivered[0]?.certificateChain);
    const held = await until('the change of certificates', async () => {
      const rows = await sql<{ pem: string }[]>`
      select pem from charger_certificates where charger_id = ${charger.id} and deleted_at is null`;
      return rows[0]?.pem.trim() === delivered[2]?.certificateChain.trim() && rows;
    });
    t.equal(held.length, 1);
  },
);

void t.test('rejects and stores a request for another charger or an unsupported use', async (t) => {
  const neighbour = await rig.connect('ocpp1.6');
  const { charger, client } = await rig.connect('ocpp2.0.1');
  const delivered = takeCertificates(client, () => 'Accepted');
  const refused = async (csr: string, more = {}) =>
    t.match(await client.call('SignCertificate', { csr, ...more }), {
      status: 'Rejected',
      statusInfo: { reasonCode: 'InvalidCSR' },
    });
  await refused('no request at all');
  await refused(await makeSigningRequest('CN=Foreign'));
  const own = await makeSigningRequest(`CN=${charger.uid}`);
  await refused(own, { certificateType: 'V2GCertificate' });

  // A charger tells its serial number itself: it does not become another by that.
  const chargingStation = { vendorName: 'V', model: 'M', serialNumber: neighbour.charger.uid };
  await client.call('BootNotification', { reason: 'PowerUp', chargingStation });
  await refused(await makeSigningRequest(`CN=${neighbour.charger.uid}`));
  // The name that its operator gave it is its own.
  await sql`update chargers set certificate_cn = 'SN 1' where id = ${charger.id}`;
  const accepted = await client.call('SignCertificate', { csr: await makeSigningRequest('CN=SN 1') });
  t.match(accepted, { status: 'Accepted' });
  await outcome(sql, charger.id, 'Installed');
  t.equal(delivered.length, 1);
  const requests = await requestsOf(sql, charger.id);
  t.same(
    requests.map(({ status }) => status),
    ['Rejected', 'Rejected', 'Rejected', 'Rejected', 'Installed'],
  );
  t.match(requests[2]?.reason, /V2G/);
  t.ok(requests.slice(0, 4).every(({ reason }) => (reason ?? '').length > 10));
  t.same(
    await neighbour.client.call('SignCertificate', { csr: 'nonsense' }),
    { status: 'Rejected' },
    '1.6 has no words for the reason',
  );
});

void t.test('stores the answer of the charger to its certificate', async (t) => {
  const { charger, client } = await rig.connect('ocpp1.6');
  takeCertificates(client, () => 'Rejected');
  await client.call('SignCertificate', { csr: await makeSigningRequest(`CN=${charger.uid}`) });
  await outcome(sql, charger.id, 'Refused');
  const none = await sql`select 1 from charger_certificates where charger_id = ${charger.id}`;
  t.equal(none.length, 0);

  // One that does not know the action, and then asks again because no certificate came.
  const deaf = await rig.connect('ocpp1.6');
  const csr = await makeSigningRequest(`CN=${deaf.charger.uid}`);
  await deaf.client.call('SignCertificate', { csr });
  await outcome(sql, deaf.charger.id, 'Signed');
  const delivered = takeCertificates(deaf.client, () => 'Accepted');
  // Until the first attempt is over, a second would be the same one.
  await until('the certificate', async () => {
    await deaf.client.call('SignCertificate', { csr });
    return delivered.length > 0;
  });
  await outcome(sql, deaf.charger.id, 'Installed');
});
