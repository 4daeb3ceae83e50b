import { X509Certificate } from 'node:crypto';
import type {
  ContractEvidence,
  ContractStatus,
  OcspStatus,
  OcspSubject,
} from '#shared/domain/commands/contract-certificates.ts';
import { buildPath, splitPem } from './certificate-path.ts';
import { certificateHashData } from './hash-data.ts';
import { askResponder, isIssuedBy, type PostOcsp } from './ocsp.ts';

/** Verifies contract certificates (ISO 15118 Plug and Charge). A clearing house can stand in for the local one. */
export interface ContractCertificateVerifier {
  verify(emaid: string, evidence: ContractEvidence): Promise<ContractStatus>;
  /** Returns the status of a certificate; null: its issuer is not trusted, or the responder gave no valid answer. */
  statusOf(subject: OcspSubject): Promise<OcspStatus | null>;
}

/** A certificate whose revocation status is to be asked, with its issuer. */
interface Checked {
  subject: OcspSubject;
  issuer: X509Certificate;
}

/**
 * Verifies against a list of trusted certificates in PEM: the chain, its dates, the contract identifier in it, and the
 * OCSP status of every certificate below the trusted one. What cannot be verified is not accepted.
 */
export function localContractVerifier(options: {
  trusted: readonly string[];
  post: PostOcsp;
  now?: () => Date;
}): ContractCertificateVerifier {
  const trusted = options.trusted.map((pem) => new X509Certificate(pem));
  const now = options.now ?? (() => new Date());
  return {
    async verify(emaid, { chain, hashData }) {
      const checked =
        chain === null
          ? await issuersOf(hashData, trusted)
          : await checkChain(emaid, chain, hashData, trusted, now());
      if (typeof checked === 'string') return checked;
      const statuses = await Promise.all(
        checked.map(({ subject, issuer }) => askResponder(subject, issuer, options.post, now())),
      );
      if (statuses.some((answer) => answer?.status === 'Revoked')) return 'CertificateRevoked';
      return statuses.every((answer) => answer?.status === 'Good') ? 'Accepted' : 'NoCertificateAvailable';
    },
    async statusOf(subject) {
      const issued = await issuersOf([subject], trusted);
      const [checked] = typeof issued === 'string' ? [] : issued;
      return checked === undefined ? null : askResponder(subject, checked.issuer, options.post, now());
    },
  };
}

/** Finds the issuers of certificates of which only hashes are known among the trusted ones. */
async function issuersOf(
  hashData: readonly OcspSubject[],
  trusted: readonly X509Certificate[],
): Promise<Checked[] | ContractStatus> {
  if (hashData.length === 0) return 'NoCertificateAvailable';
  const checked: Checked[] = [];
  for (const subject of hashData) {
    const issuers = await Promise.all(
      trusted.map(async (issuer) => ((await isIssuedBy(subject, issuer)) ? issuer : null)),
    );
    const issuer = issuers.find((found) => found !== null);
    if (issuer === undefined) return 'CertChainError';
    checked.push({ subject, issuer });
  }
  return checked;
}

async function checkChain(
  emaid: string,
  pem: string,
  hashData: readonly OcspSubject[],
  trusted: readonly X509Certificate[],
  now: Date,
): Promise<Checked[] | ContractStatus> {
  const chain = splitPem(pem);
  if (chain === null) return 'CertChainError';
  const path = buildPath(chain, trusted);
  if (typeof path === 'string') return path;
  if (path.some(({ validToDate }) => validToDate < now)) return 'CertificateExpired';
  if (path.some(({ validFromDate }) => validFromDate > now)) return 'CertChainError';
  const [leaf] = path;
  if (leaf === undefined || !isNamed(leaf, emaid)) return 'CertChainError';
  const checked: Checked[] = [];
  for (const [index, certificate] of path.slice(0, -1).entries()) {
    const issuer = path[index + 1]!;
    const named = await certificateHashData(certificate.toString(), issuer.toString());
    const sent = hashData.find(({ serialNumber }) => sameNumber(serialNumber, named.serialNumber));
    // The authority's own responder first: that of the message is the charger's choice.
    const responderUrl = responderOf(certificate) ?? sent?.responderUrl ?? null;
    if (responderUrl === null) return 'NoCertificateAvailable';
    checked.push({ subject: { ...named, responderUrl }, issuer });
  }
  return checked;
}

const sameNumber = (one: string, other: string) => one.replace(/^0+/, '').toLowerCase() === other;

/** The common name of a contract certificate is its EMAID (ISO 15118-2 §7.9.2); separators and the check digit are optional. */
function isNamed(leaf: X509Certificate, emaid: string): boolean {
  const name = /^CN=(.*)$/m.exec(leaf.subject)?.[1] ?? '';
  return plainEmaid(name) === plainEmaid(emaid);
}

/** Country, provider and instance: 14 characters. */
const plainEmaid = (text: string) => text.replaceAll('-', '').toUpperCase().slice(0, 14);

/** The OCSP responder that a certificate names in its authority information access. */
function responderOf({ infoAccess }: X509Certificate): string | null {
  return /^OCSP - URI:(.+)$/m.exec(infoAccess ?? '')?.[1]?.trim() ?? null;
}
