import t from 'tap';
import { localContractVerifier } from '#shared/certificates/contract-verifier.ts';
import { certificateHashData } from '#shared/certificates/hash-data.ts';
import { contractPki, type TestCertificate } from '#shared/testing/contract-pki.ts';

const emaid = 'NLHRBC00000042';

async function post(url: string, request: Buffer): Promise<Buffer> {
  const answer = await fetch(url, { method: 'POST', body: new Uint8Array(request) });
  if (!answer.ok) throw new Error(String(answer.status));
  return Buffer.from(await answer.arrayBuffer());
}

const chainOf = (...certificates: TestCertificate[]) => certificates.map(({ pem }) => pem).join('\n');

void t.test('contract certificates', async (t) => {
  const pki = await contractPki(t);
  const verifier = localContractVerifier({ trusted: [pki.root.pem], post });
  const leaf = await pki.contract(emaid);
  const verify = (chain: string, name = emaid) => verifier.verify(name, { chain, hashData: [] });
  const hashData = async (certificate: TestCertificate, issuer: TestCertificate) => ({
    ...(await certificateHashData(certificate.pem, issuer.pem)),
    responderUrl: pki.responderUrl(issuer),
  });

  await t.test('accepts a chain to a trusted root whose certificates are all good', async (t) => {
    const before = pki.asked();
    t.equal(await verify(chainOf(leaf, pki.sub)), 'Accepted');
    t.equal(pki.asked() - before, 2, 'the contract and its sub-CA are asked about');
    t.equal(
      await verify(chainOf(leaf, pki.sub, pki.root)),
      'Accepted',
      'a root in the chain changes nothing',
    );
    t.equal(
      await verify(chainOf(leaf, pki.sub), 'nl-hrb-c00000042-x'),
      'Accepted',
      'with separators and check digit',
    );
  });

  await t.test('refuses a chain that ends at no trusted root', async (t) => {
    const otherRoot = await pki.authority('other-root', null);
    const otherLeaf = await pki.contract(emaid, { issuer: otherRoot });
    t.equal(await verify(chainOf(otherLeaf, otherRoot)), 'CertChainError');
    t.equal(await verify(leaf.pem), 'CertChainError', 'a chain without its sub-CA');
    t.equal(await verify('no certificate'), 'CertChainError');
    t.equal(await verify(pki.root.pem, 'root'), 'CertChainError', 'a CA is no contract');
    const untrusting = localContractVerifier({ trusted: [], post });
    t.equal(
      await untrusting.verify(emaid, { chain: chainOf(leaf, pki.sub), hashData: [] }),
      'CertChainError',
    );
  });

  await t.test('refuses a certificate that its issuer did not sign', async (t) => {
    const impostor = { ...(await pki.authority('impostor', null)), certificate: pki.sub.certificate };
    const forged = await pki.contract(emaid, { issuer: { ...impostor, name: 'sub' } });
    t.equal(await verify(chainOf(forged, pki.sub)), 'SignatureError');
  });

  await t.test('refuses a certificate that has expired', async (t) => {
    const expired = await pki.contract(emaid, { validTo: new Date(Date.now() - 1000) });
    t.equal(await verify(chainOf(expired, pki.sub)), 'CertificateExpired');
  });

  await t.test('refuses the certificate of another contract', async (t) => {
    t.equal(await verify(chainOf(leaf, pki.sub), 'NLHRBC00000043'), 'CertChainError');
  });

  await t.test('refuses a certificate that was issued by a contract certificate', async (t) => {
    const below = await pki.contract(emaid, { issuer: leaf });
    t.equal(await verify(chainOf(below, leaf, pki.sub)), 'CertChainError');
  });

  await t.test('refuses a revoked certificate', async (t) => {
    const revoked = await pki.contract(emaid);
    pki.revoke(pki.sub, revoked);
    t.equal(await verify(chainOf(revoked, pki.sub)), 'CertificateRevoked');
  });

  await t.test('verifies the hash data of a chain that the station verified', async (t) => {
    const issuers = localContractVerifier({ trusted: [pki.root.pem, pki.sub.pem], post });
    const evidence = {
      chain: null,
      hashData: [await hashData(leaf, pki.sub), await hashData(pki.sub, pki.root)],
    };
    t.equal(await issuers.verify(emaid, evidence), 'Accepted');
    t.equal(await verifier.verify(emaid, evidence), 'CertChainError', 'an issuer that is not trusted');
    t.equal(await issuers.verify(emaid, { chain: null, hashData: [] }), 'NoCertificateAvailable');
    const revoked = await pki.contract(emaid);
    pki.revoke(pki.sub, revoked);
    const revokedData = { chain: null, hashData: [await hashData(revoked, pki.sub)] };
    t.equal(await issuers.verify(emaid, revokedData), 'CertificateRevoked');
  });

  await t.test('does not accept an answer about another certificate or of another signer', async (t) => {
    const other = await pki.authority('other-sub', pki.root);
    const wrongSigner = { ...(await hashData(leaf, pki.sub)), responderUrl: pki.responderUrl(other) };
    const issuers = localContractVerifier({ trusted: [pki.root.pem, pki.sub.pem], post });
    t.equal(await issuers.verify(emaid, { chain: null, hashData: [wrongSigner] }), 'NoCertificateAvailable');
    const kept: Buffer[] = [];
    const keeping = localContractVerifier({
      trusted: [pki.root.pem, pki.sub.pem],
      post: async (url, request) => {
        const answer = kept[0] ?? (await post(url, request));
        kept.push(answer);
        return answer;
      },
    });
    const good = await hashData(leaf, pki.sub);
    t.equal(await keeping.verify(emaid, { chain: null, hashData: [good] }), 'Accepted');
    const revoked = await pki.contract(emaid);
    pki.revoke(pki.sub, revoked);
    const replayed = { chain: null, hashData: [await hashData(revoked, pki.sub)] };
    t.equal(await keeping.verify(emaid, replayed), 'NoCertificateAvailable');
    const later = localContractVerifier({
      trusted: [pki.root.pem, pki.sub.pem],
      post: async () => kept[0]!,
      now: () => new Date(Date.now() + 2 * 24 * 60 * 60_000),
    });
    t.equal(
      await later.verify(emaid, { chain: null, hashData: [good] }),
      'NoCertificateAvailable',
      'an old answer',
    );
  });

  await t.test('does not accept a certificate whose responder does not answer', async (t) => {
    pki.silence();
    t.equal(await verify(chainOf(leaf, pki.sub)), 'NoCertificateAvailable');
  });
});
