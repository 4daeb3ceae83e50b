import type { Test } from 'tap';
import { Outbound } from '#api/services/access/outbound.ts';
import { serveContractVerifications } from '#api/services/commands/contract-certificates.service.ts';
import type { Rig } from '#gateway/test/support/rig.ts';
import { certificateHashData } from '#shared/certificates/hash-data.ts';
import { authorizerChannel } from '#shared/domain/roaming/roaming.ts';
import { insertTrustedCertificate } from '#shared/postgres/fleet/trusted-certificates.statements.ts';
import { contractPki, type TestCertificate } from '#shared/testing/contract-pki.ts';

/**
 * Trusts a contract authority in the network; returns a contract's chain and hashes, the hashes of a revoked one, and OCSP data of a
 * certificate with a trusted issuer and of one without.
 */
export async function contractEvidence(t: Test, { stores: { sql }, bus, network }: Rig, emaid: string) {
  const pki = await contractPki(t);
  const outbound = new Outbound(['127.0.0.0/8']);
  t.teardown(() => outbound.close());
  await serveContractVerifications({ sql, bus, outbound });
  await bus.respond(authorizerChannel, () => Promise.resolve(bus.node));
  for (const { certificate, pem } of [pki.root, pki.sub]) {
    await insertTrustedCertificate(sql, network.id, {
      pem,
      subject: certificate.subject,
      validFrom: certificate.notBefore,
      validTo: certificate.notAfter,
      fingerprint256: certificate.subject,
    });
  }
  const hashes = async (certificate: TestCertificate, issuer: TestCertificate) => ({
    ...(await certificateHashData(certificate.pem, issuer.pem)),
    responderURL: pki.responderUrl(issuer),
  });
  const [contract, revoked] = [await pki.contract(emaid), await pki.contract(emaid)];
  pki.revoke(pki.sub, revoked);
  const subHashes = await hashes(pki.sub, pki.root);
  const elsewhere = { issuerNameHash: 'aa', issuerKeyHash: 'bb', serialNumber: '1' };
  return {
    ocspRequestData: subHashes,
    unknownRequestData: { ...subHashes, ...elsewhere },
    contractChain: `${contract.pem}\n${pki.sub.pem}`,
    contractHashes: [await hashes(contract, pki.sub), subHashes],
    revokedHashes: [await hashes(revoked, pki.sub), subHashes],
  };
}
