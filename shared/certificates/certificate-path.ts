import { X509Certificate } from 'node:crypto';

/** Maximum number of certificates below the trusted one: a contract certificate and sub-CAs (ISO 15118 allows two). */
const maxLength = 5;

/** Reads the certificates of a PEM text in their order; null: it has none, too many, or one that cannot be read. */
export function splitPem(pem: string): X509Certificate[] | null {
  const parts = pem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
  if (parts.length === 0 || parts.length > maxLength + 1) return null;
  try {
    return parts.map((part) => new X509Certificate(part));
  } catch {
    return null;
  }
}

/**
 * Builds the path from the first certificate to a trusted one, which is its last. CertChainError: no such path.
 * SignatureError: an issuer is there, and its key did not sign the certificate.
 */
export function buildPath(
  [leaf, ...others]: readonly X509Certificate[],
  trusted: readonly X509Certificate[],
): X509Certificate[] | 'CertChainError' | 'SignatureError' {
  if (leaf === undefined || leaf.ca) return 'CertChainError';
  const path = [leaf];
  for (;;) {
    const subject = path.at(-1)!;
    const issuers = [...trusted, ...others].filter(
      (issuer) => issuer.ca && subject.checkIssued(issuer) && !path.includes(issuer),
    );
    const issuer = issuers.find(({ publicKey }) => subject.verify(publicKey));
    if (issuer === undefined) return issuers.length > 0 ? 'SignatureError' : 'CertChainError';
    path.push(issuer);
    if (trusted.includes(issuer)) return path;
    if (path.length > maxLength) return 'CertChainError';
  }
}
