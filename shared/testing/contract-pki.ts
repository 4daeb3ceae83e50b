import { execFileSync } from 'node:child_process';
import { webcrypto } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Test } from 'tap';
import {
  AuthorityInfoAccessExtension,
  BasicConstraintsExtension,
  KeyUsageFlags,
  KeyUsagesExtension,
  PemConverter,
  type X509Certificate,
  X509CertificateGenerator,
} from '#shared/certificates/x509.ts';

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
const hourMs = 60 * 60_000;

/** A certificate with its key; `responder`: where its issuer is asked about it. */
export interface TestCertificate {
  name: string;
  certificate: X509Certificate;
  pem: string;
  keys: webcrypto.CryptoKeyPair;
}

/** A PKI of a mobility operator with an OCSP responder on loopback, which OpenSSL answers for. */
export interface ContractPki {
  root: TestCertificate;
  sub: TestCertificate;
  responderUrl(issuer: TestCertificate): string;
  /** Issues a contract certificate; it is valid for an hour unless it says otherwise. */
  contract(emaid: string, changed?: { validTo?: Date; issuer?: TestCertificate }): Promise<TestCertificate>;
  authority(name: string, issuer: TestCertificate | null): Promise<TestCertificate>;
  revoke(issuer: TestCertificate, certificate: TestCertificate): void;
  /** Number of requests that the responder answered. */
  asked(): number;
  /** Has the responder fail from now on. */
  silence(): void;
}

export async function contractPki(t: Test): Promise<ContractPki> {
  const directory = mkdtempSync(join(tmpdir(), 'contract-pki-'));
  const index = new Map<string, string[]>();
  const file = (name: string) => join(directory, name);
  let asked = 0;
  let isSilent = false;
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const issuer = request.url?.slice(1) ?? '';
      asked += 1;
      if (isSilent) {
        response.writeHead(500).end();
        return;
      }
      writeFileSync(file('request.der'), Buffer.concat(chunks));
      writeFileSync(file(`${issuer}.index`), (index.get(issuer) ?? []).join(''));
      const own = [
        '-CA',
        file(`${issuer}.pem`),
        '-rsigner',
        file(`${issuer}.pem`),
        '-rkey',
        file(`${issuer}.key`),
      ];
      const io = ['-reqin', file('request.der'), '-respout', file('answer.der'), '-ndays', '1'];
      execFileSync('openssl', ['ocsp', '-index', file(`${issuer}.index`), ...own, ...io], {
        stdio: 'pipe',
        timeout: 5000,
      });
      response.setHeader('content-type', 'application/ocsp-response').end(readFileSync(file('answer.der')));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => {
    server.closeAllConnections();
    server.close();
    rmSync(directory, { recursive: true, force: true });
  });
  const { port } = server.address() as AddressInfo;
  const responderUrl = ({ name }: TestCertificate) => `http://127.0.0.1:${port}/${name}`;

  async function issue(
    name: string,
    issuer: TestCertificate | null,
    { isAuthority, validTo = new Date(Date.now() + hourMs) }: { isAuthority: boolean; validTo?: Date },
  ): Promise<TestCertificate> {
    const keys = await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
    const usage = isAuthority ? KeyUsageFlags.keyCertSign : KeyUsageFlags.digitalSignature;
    const certificate = await X509CertificateGenerator.create({
      serialNumber: Buffer.from(webcrypto.getRandomValues(new Uint8Array(8)))
        .toString('hex')
        .replace(/^./, '7'),
      subject: `CN=${name}`,
      issuer: issuer?.certificate.subject ?? `CN=${name}`,
      notBefore: new Date(Math.min(Date.now(), validTo.getTime()) - hourMs),
      notAfter: validTo,
      publicKey: keys.publicKey,
      signingKey: (issuer?.keys ?? keys).privateKey,
      signingAlgorithm: algorithm,
      extensions: [
        new BasicConstraintsExtension(isAuthority, undefined, true),
        new KeyUsagesExtension(usage, true),
        ...(issuer === null ? [] : [new AuthorityInfoAccessExtension({ ocsp: [responderUrl(issuer)] })]),
      ],
    });
    const pem = certificate.toString('pem');
    const pkcs8 = await webcrypto.subtle.exportKey('pkcs8', keys.privateKey);
    writeFileSync(file(`${name}.pem`), pem);
    writeFileSync(file(`${name}.key`), PemConverter.encode(pkcs8, 'PRIVATE KEY'));
    const made = { name, certificate, pem, keys };
    if (issuer !== null) register(issuer, made, 'V');
    return made;
  }

  /** A line of OpenSSL's index of issued certificates. */
  function register(issuer: TestCertificate, { certificate }: TestCertificate, state: 'V' | 'R'): void {
    const number = certificate.serialNumber.toUpperCase();
    const others = (index.get(issuer.name) ?? []).filter((line) => !line.includes(`\t${number}\t`));
    const revokedAt = state === 'R' ? '260101000000Z' : '';
    index.set(issuer.name, [
      ...others,
      `${state}\t360101000000Z\t${revokedAt}\t${number}\tunknown\t/CN=${number}\n`,
    ]);
  }

  const root = await issue('root', null, { isAuthority: true });
  const sub = await issue('sub', root, { isAuthority: true });
  return {
    root,
    sub,
    responderUrl,
    contract: (emaid, { validTo, issuer = sub } = {}) =>
      issue(emaid, issuer, { isAuthority: false, ...(validTo !== undefined && { validTo }) }),
    authority: (name, issuer) => issue(name, issuer, { isAuthority: true }),
    revoke: (issuer, certificate) => register(issuer, certificate, 'R'),
    asked: () => asked,
    silence: () => {
      isSilent = true;
    },
  };
}
