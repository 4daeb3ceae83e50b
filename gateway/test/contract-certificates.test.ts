import t from 'tap';
import { Outbound } from '#api/services/access/outbound.ts';
import { serveContractVerifications } from '#api/services/commands/contract-certificates.service.ts';
import { certificateHashData } from '#shared/certificates/hash-data.ts';
import { authorizerChannel } from '#shared/domain/roaming/roaming.ts';
import { insertTrustedCertificate } from '#shared/postgres/fleet/trusted-certificates.statements.ts';
import { contractPki, type TestCertificate } from '#shared/testing/contract-pki.ts';
import { seedNetwork } from '#shared/testing/seed.ts';
import { startRig } from './support/rig.ts';

const emaid = 'NLHRBC00000042';
const idToken = { idToken: emaid, type: 'eMAID' } as const;

const answer = (status: string, certificateStatus: string) => ({
  idTokenInfo: { status },
  certificateStatus,
});

void t.test('Authorize with a contract certificate (C07)', async (t) => {
  const pki = await contractPki(t);
  const rig = await startRig(t);
  const { sql } = rig.stores;
  const { client } = await rig.connect('ocpp2.0.1');
  const leaf = await pki.contract(emaid);
  const certificate = `${leaf.pem}\n${pki.sub.pem}`;
  const authorize = (evidence: object, as: typeof idToken | { idToken: string; type: 'eMAID' } = idToken) =>
    client.call('Authorize', { idToken: as, ...evidence });
  const trust = async (
    { certificate: { subject, notBefore, notAfter }, pem }: TestCertificate,
    networkId: number,
  ) =>
    insertTrustedCertificate(sql, networkId, {
      pem,
      subject,
      validFrom: notBefore,
      validTo: notAfter,
      fingerprint256: subject,
    });
  const know = (uid: string) =>
    sql`insert into id_tokens (network_id, uid, type, is_valid) values (${rig.network.id}, ${uid}, 'RFID', true)`;
  await know(emaid);

  await t.test('is refused while no verifier is configured', async (t) => {
    t.same(await authorize({ certificate }), answer('Invalid', 'NoCertificateAvailable'));
  });

  const outbound = new Outbound(['127.0.0.0/8']);
  t.teardown(() => outbound.close());
  await serveContractVerifications({ sql, bus: rig.bus, outbound });
  await rig.bus.respond(authorizerChannel, () => Promise.resolve(rig.bus.node));

  await t.test('is refused while no authority is trusted', async (t) => {
    const elsewhere = await seedNetwork(sql);
    await trust(pki.root, elsewhere.id);
    t.same(
      await authorize({ certificate }),
      answer('Invalid', 'CertChainError'),
      'a certificate of another network does not count',
    );
  });

  await t.test('is accepted with a chain to a trusted root, for a known token', async (t) => {
    await trust(pki.root, rig.network.id);
    t.same(await authorize({ certificate }), answer('Accepted', 'Accepted'));
    t.same(
      await authorize({}),
      { idTokenInfo: { status: 'Accepted' } },
      'a token by itself has no certificate status',
    );
  });

  await t.test('is accepted with the hash data of a chain below a trusted sub-CA', async (t) => {
    await trust(pki.sub, rig.network.id);
    const hashed = async (of: TestCertificate, issuer: TestCertificate) => ({
      ...(await certificateHashData(of.pem, issuer.pem)),
      responderURL: pki.responderUrl(issuer),
    });
    const iso15118CertificateHashData = [await hashed(leaf, pki.sub), await hashed(pki.sub, pki.root)];
    t.same(await authorize({ iso15118CertificateHashData }), answer('Accepted', 'Accepted'));
  });

  await t.test('is refused when its token is refused', async (t) => {
    const other = 'NLHRBC00000043';
    const { pem } = await pki.contract(other);
    const chain = { certificate: `${pem}\n${pki.sub.pem}` };
    const named = { idToken: other, type: 'eMAID' } as const;
    t.same(await authorize(chain, named), answer('Invalid', 'Accepted'), 'an unknown token');
    await know(other);
    await sql`update id_tokens set is_valid = false where uid = ${other}`;
    t.same(await authorize(chain, named), answer('Blocked', 'ContractCancelled'), 'a blocked one');
    t.same(await authorize({ certificate }, named), answer('Invalid', 'CertChainError'), 'that of another');
  });

  await t.test('is refused when it has expired or was revoked', async (t) => {
    const expired = await pki.contract(emaid, { validTo: new Date(Date.now() - 1000) });
    const old = { certificate: `${expired.pem}\n${pki.sub.pem}` };
    t.same(await authorize(old), answer('Expired', 'CertificateExpired'));
    pki.revoke(pki.sub, leaf);
    t.same(await authorize({ certificate }), answer('Invalid', 'CertificateRevoked'));
  });

  await t.test('shows the status of its chain by the responders (2.1 M07)', async (t) => {
    const newer = await rig.connect('ocpp2.1');
    const asked = async (of: TestCertificate, issuer: TestCertificate, source: string) => ({
      certificateHashData: await certificateHashData(of.pem, issuer.pem),
      source,
      urls: [pki.responderUrl(issuer)],
    });
    const certificateStatusRequests = [
      await asked(leaf, pki.sub, 'OCSP'),
      await asked(pki.sub, pki.root, 'OCSP'),
      await asked(pki.sub, pki.root, 'CRL'),
      await asked(leaf, await pki.authority('untrusted', null), 'OCSP'),
    ];
    t.match(await newer.client.call('GetCertificateChainStatus', { certificateStatusRequests }), {
      certificateStatus: [
        { ...certificateStatusRequests[0], urls: undefined, status: 'Revoked' },
        { certificateHashData: certificateStatusRequests[1]?.certificateHashData, status: 'Good' },
        { source: 'CRL', status: 'Failed', nextUpdate: String },
        { status: 'Failed' },
      ],
    });
  });

  await t.test('calls no responder at an address that may not be called', async (t) => {
    const iso15118CertificateHashData = [
      { ...(await certificateHashData(leaf.pem, pki.sub.pem)), responderURL: 'http://169.254.169.254/' },
    ];
    t.same(await authorize({ iso15118CertificateHashData }), answer('Invalid', 'NoCertificateAvailable'));
  });
});
