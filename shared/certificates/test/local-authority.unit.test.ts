import { createHash, X509Certificate } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { RefusedRequest } from '#shared/certificates/authority.ts';
import { certificateHashData } from '#shared/certificates/hash-data.ts';
import { openLocalAuthority } from '#shared/certificates/local-authority.ts';
import { makeSigningRequest, rsa, testDirectory } from './support/signing-request.ts';

const rule = { commonNames: ['CP-1', 'SN/1'], organization: '#1 Network, of us' };

void t.test('signs a request for the charger that it names only', async (t) => {
  const authority = await openLocalAuthority(join(testDirectory(t), 'ca'));
  const root = new X509Certificate(authority.root);
  for (const [name, commonName, key] of [
    ['CN=CP-1, O=What the charger says', 'CP-1', undefined],
    ['CN=SN/1', 'SN/1', rsa(2048)],
  ] as const) {
    const certificate = new X509Certificate(await authority.sign(await makeSigningRequest(name, key), rule));
    t.ok(certificate.verify(root.publicKey), 'signed by the root');
    t.ok(certificate.checkIssued(root));
    t.notOk(certificate.ca, 'it signs nothing itself');
    t.same(certificate.keyUsage, ['1.3.6.1.5.5.7.3.2'], 'it is for clients of TLS');
    // Node writes what has a meaning in names (RFC 4514) with a backslash.
    t.equal(certificate.subject.replaceAll('\\', ''), `CN=${commonName}\nO=${rule.organization}`);
    t.ok(new Date(certificate.validFrom) < new Date(), 'valid for clocks that are behind');
    const days = (new Date(certificate.validTo).getTime() - Date.now()) / 86_400_000;
    t.ok(days > 364 && days < 366, 'for a year');
  }
  t.ok(root.ca);
});

void t.test('creates one authority for concurrent starts, with a private key file', async (t) => {
  const directory = testDirectory(t);
  const path = join(directory, 'data', 'ca');
  const opened = await Promise.all(Array.from({ length: 6 }, () => openLocalAuthority(path)));
  t.equal(new Set(opened.map(({ root }) => root)).size, 1);
  t.equal((await openLocalAuthority(path)).root, opened[0]?.root, 'and it is the same after a restart');
  t.same(readdirSync(path).toSorted(), ['key.pem', 'root.pem']);
  t.same(readdirSync(join(directory, 'data')), ['ca'], 'nothing of those that came second is left');
  t.equal(statSync(join(path, 'key.pem')).mode & 0o777, 0o600);
  t.equal(readFileSync(join(path, 'root.pem'), 'utf8').trim(), opened[0]?.root.trim());
});

void t.test('refuses untrusted requests', async (t) => {
  const authority = await openLocalAuthority(join(testDirectory(t), 'ca'));
  const good = await makeSigningRequest('CN=CP-1');
  const der = Buffer.from(good.replaceAll(/-----[^-]+-----|\s/g, ''), 'base64');
  der[der.length - 1] = (der.at(-1) ?? 0) ^ 1;
  const forged = `-----BEGIN CERTIFICATE REQUEST-----\n${der.toString('base64')}\n-----END CERTIFICATE REQUEST-----\n`;
  const cases: [string, string, RegExp][] = [
    ['no PEM', 'CP-1', /not one PKCS #10 request/],
    ['nothing', '', /not one PKCS #10 request/],
    ['a certificate', authority.root, /not one PKCS #10 request/],
    ['two requests', good + good, /not one PKCS #10 request/],
    ['a torn request', good.replace(/\n.{20}/, '\n'), /not one PKCS #10 request/],
    ['a broken signature', forged, /signature is not valid/],
    ['another charger', await makeSigningRequest('CN=CP-2'), /common name does not stand for/],
    ['no common name', await makeSigningRequest('O=CP-1'), /must have one common name/],
    ['two common names', await makeSigningRequest('CN=CP-1, CN=CP-2'), /must have one common name/],
    ['a weak key', await makeSigningRequest('CN=CP-1', rsa(1024)), /shorter than 2048 bits/],
  ];
  for (const [what, csr, reason] of cases) {
    const error = await authority.sign(csr, rule).then(
      () => null,
      (thrown: unknown) => thrown,
    );
    t.ok(error instanceof RefusedRequest, what);
    t.match(error instanceof Error ? error.message : '', reason, what);
  }
});

void t.test('identifies a certificate to chargers by hashes of its issuer', async (t) => {
  const authority = await openLocalAuthority(join(testDirectory(t), 'ca'));
  const chain = await authority.sign(await makeSigningRequest('CN=CP-1'), rule);
  const named = await certificateHashData(chain, authority.root);
  t.equal(named.serialNumber, new X509Certificate(chain).serialNumber.toLowerCase().replace(/^0+/, ''));
  // The key of an EC root as a point: the last 65 bytes of its SubjectPublicKeyInfo.
  const spki = new X509Certificate(authority.root).publicKey.export({ format: 'der', type: 'spki' });
  t.equal(named.issuerKeyHash, createHash('sha256').update(spki.subarray(-65)).digest('hex'));
  t.equal(named.issuerNameHash, (await certificateHashData(authority.root, authority.root)).issuerNameHash);
  await t.rejects(certificateHashData('nonsense', authority.root));
});
