import { createHash } from 'node:crypto';
import { X509Certificate } from './x509.ts';

/** The algorithms that OCPP names certificates with (HashAlgorithmEnumType). */
export type HashAlgorithm = 'SHA256' | 'SHA384' | 'SHA512';

/**
 * Identification of a certificate in OCPP (CertificateHashDataType): hashes in hexadecimal, serial number without
 * leading zeros.
 */
export interface CertificateHashData {
  hashAlgorithm: HashAlgorithm;
  issuerNameHash: string;
  issuerKeyHash: string;
  serialNumber: string;
}

/**
 * The hash data of the first certificate in `pem`, given its issuer's; a root is its own issuer.
 * @throws {Error} when either is no certificate.
 */
export async function certificateHashData(
  pem: string,
  issuerPem: string,
  hashAlgorithm: HashAlgorithm = 'SHA256',
): Promise<CertificateHashData> {
  const certificate = new X509Certificate(pem);
  const issuer = new X509Certificate(issuerPem);
  const keyHash = await issuer.publicKey.getKeyIdentifier(hashAlgorithm.replace('SHA', 'SHA-'));
  return {
    hashAlgorithm,
    issuerNameHash: createHash(hashAlgorithm)
      .update(Buffer.from(certificate.issuerName.toArrayBuffer()))
      .digest('hex'),
    issuerKeyHash: Buffer.from(keyHash).toString('hex'),
    serialNumber: certificate.serialNumber.replace(/^0+(?=.)/, '').toLowerCase(),
  };
}
