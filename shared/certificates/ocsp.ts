import { createHash, verify, X509Certificate } from 'node:crypto';
import {
  BasicOCSPResponse,
  CertID,
  OCSPRequest,
  OCSPResponse,
  OCSPResponseStatus,
  Request,
  type SingleResponse,
  TBSRequest,
} from '@peculiar/asn1-ocsp';
import { AsnConvert, OctetString } from '@peculiar/asn1-schema';
import { AlgorithmIdentifier, Certificate as Asn1Certificate } from '@peculiar/asn1-x509';
import type { OcspStatus, OcspSubject } from '#shared/domain/commands/contract-certificates.ts';
import { certificateHashData } from './hash-data.ts';

/** Sends an OCSP request (RFC 6960, appendix A.1) and resolves to the body of a successful answer. */
export type PostOcsp = (url: string, request: Buffer) => Promise<Buffer>;

/** Clocks may differ by this much, in ms. */
const skewMs = 5 * 60_000;

/** Maximum age in ms of an answer without an end of validity. */
const maxAgeMs = 24 * 60 * 60_000;

const digestOids = {
  SHA256: '2.16.840.1.101.3.4.2.1',
  SHA384: '2.16.840.1.101.3.4.2.2',
  SHA512: '2.16.840.1.101.3.4.2.3',
} as const;

/** Digests of the signature algorithms that are accepted: ECDSA and RSA (PKCS #1). */
const signatureDigests: Partial<Record<string, string>> = {
  '1.2.840.10045.4.3.2': 'sha256',
  '1.2.840.10045.4.3.3': 'sha384',
  '1.2.840.10045.4.3.4': 'sha512',
  '1.2.840.113549.1.1.11': 'sha256',
  '1.2.840.113549.1.1.12': 'sha384',
  '1.2.840.113549.1.1.13': 'sha512',
};

/** id-kp-OCSPSigning: its issuer lets a certificate sign answers (RFC 6960 §4.2.2.2). */
const ocspSigning = '1.3.6.1.5.5.7.3.9';

/** Returns true when the hashes of an OCSP subject name this issuer. */
export async function isIssuedBy(
  { hashAlgorithm, issuerNameHash, issuerKeyHash }: OcspSubject,
  issuer: X509Certificate,
): Promise<boolean> {
  const pem = issuer.toString();
  const own = await certificateHashData(pem, pem, hashAlgorithm);
  if (own.issuerKeyHash !== issuerKeyHash.toLowerCase()) return false;
  return subjectHash(issuer, hashAlgorithm) === issuerNameHash.toLowerCase();
}

function subjectHash(certificate: X509Certificate, hashAlgorithm: OcspSubject['hashAlgorithm']): string {
  const { tbsCertificate } = AsnConvert.parse(certificate.raw, Asn1Certificate);
  return createHash(hashAlgorithm)
    .update(Buffer.from(AsnConvert.serialize(tbsCertificate.subject)))
    .digest('hex');
}

/**
 * Requests the status of a certificate from its responder. Null: the responder is unreachable, or its answer is outdated or not
 * signed by the issuer or in its name.
 */
export async function askResponder(
  subject: OcspSubject,
  issuer: X509Certificate,
  post: PostOcsp,
  now: Date,
): Promise<OcspStatus | null> {
  const id = certificateId(subject);
  const request = new OCSPRequest({
    tbsRequest: new TBSRequest({ requestList: [new Request({ reqCert: id })] }),
  });
  try {
    const answer = await post(subject.responderUrl, Buffer.from(AsnConvert.serialize(request)));
    return readAnswer(answer, id, issuer, now);
  } catch {
    return null;
  }
}

function certificateId(subject: OcspSubject): CertID {
  return new CertID({
    hashAlgorithm: new AlgorithmIdentifier({
      algorithm: digestOids[subject.hashAlgorithm],
      parameters: null,
    }),
    issuerNameHash: new OctetString(Buffer.from(subject.issuerNameHash, 'hex')),
    issuerKeyHash: new OctetString(Buffer.from(subject.issuerKeyHash, 'hex')),
    serialNumber: positiveInteger(subject.serialNumber),
  });
}

/** The bytes of a positive DER integer. */
function positiveInteger(hexadecimal: string): ArrayBuffer {
  const digits = hexadecimal.replace(/^0+(?=.)/, '');
  const even = digits.length % 2 === 0 ? digits : `0${digits}`;
  return new Uint8Array(Buffer.from(/^[89a-f]/i.test(even) ? `00${even}` : even, 'hex')).buffer;
}

function readAnswer(answer: Buffer, id: CertID, issuer: X509Certificate, now: Date): OcspStatus | null {
  const { responseStatus, responseBytes } = AsnConvert.parse(answer, OCSPResponse);
  if (responseStatus !== OCSPResponseStatus.successful || responseBytes === undefined) return null;
  const basic = AsnConvert.parse(responseBytes.response.buffer, BasicOCSPResponse);
  if (!isSigned(basic, issuer, now)) return null;
  const single = basic.tbsResponseData.responses.find(({ certID }) => isSameId(certID, id));
  if (single === undefined || !isCurrent(single, now)) return null;
  return {
    status: statusOf(single),
    response: answer.toString('base64'),
    nextUpdate: single.nextUpdate?.toISOString() ?? null,
  };
}

function statusOf({ certStatus }: SingleResponse): OcspStatus['status'] {
  if (certStatus.revoked !== undefined) return 'Revoked';
  return certStatus.good === undefined ? 'Unknown' : 'Good';
}

function isSameId(one: CertID, other: CertID): boolean {
  const isSameDigest = one.hashAlgorithm.algorithm === other.hashAlgorithm.algorithm;
  return isSameDigest && bytesOf(one).equals(bytesOf(other));
}

function bytesOf({ issuerNameHash, issuerKeyHash, serialNumber }: CertID): Buffer {
  const parts = [issuerNameHash.buffer, issuerKeyHash.buffer, serialNumber];
  return Buffer.concat(parts.map((part) => Buffer.from(part)));
}

function isCurrent({ thisUpdate, nextUpdate }: SingleResponse, now: Date): boolean {
  const end = nextUpdate?.getTime() ?? thisUpdate.getTime() + maxAgeMs;
  return thisUpdate.getTime() - skewMs <= now.getTime() && now.getTime() <= end + skewMs;
}

/** Returns true when the issuer signed the answer, or a certificate in it that the issuer made for this. */
function isSigned(basic: BasicOCSPResponse, issuer: X509Certificate, now: Date): boolean {
  const digest = signatureDigests[basic.signatureAlgorithm.algorithm];
  const { tbsResponseDataRaw } = basic;
  if (digest === undefined || tbsResponseDataRaw === undefined) return false;
  const delegates = (basic.certs ?? [])
    .map((certificate) => new X509Certificate(Buffer.from(AsnConvert.serialize(certificate))))
    .filter((certificate) => isDelegate(certificate, issuer, now));
  const data = Buffer.from(tbsResponseDataRaw);
  const signature = Buffer.from(basic.signature);
  return [issuer, ...delegates].some(({ publicKey }) => verify(digest, data, publicKey, signature));
}

function isDelegate(certificate: X509Certificate, issuer: X509Certificate, now: Date): boolean {
  return (
    // Node.js returns undefined where its types declare a list.
    (certificate.keyUsage as string[] | undefined)?.includes(ocspSigning) === true &&
    certificate.validFromDate <= now &&
    certificate.validToDate >= now &&
    certificate.checkIssued(issuer) &&
    certificate.verify(issuer.publicKey)
  );
}
