/** Subjects that a certificate may name; a request with another subject is refused. */
export interface SubjectRule {
  /** The common name must be one of these: what stands for the charger and for no other. */
  commonNames: readonly string[];
  /** The organization that the certificate names, whatever the request says: the operator vouches for its chargers. */
  organization: string;
}

/**
 * Authority that signs the certificates of chargers (security profile 3). Another authority, such as a company's PKI,
 * replaces the local one by implementing this.
 */
export interface CertificateAuthority {
  /** Certificate in PEM that verifiers of chargers must trust. */
  readonly root: string;
  /**
   * Checks a PKCS #10 request and signs it.
   * @returns the chain in PEM, the charger's certificate first, without the root (2.0.1 A02).
   * @throws {RefusedRequest} the request is not one that may be signed.
   */
  sign(csrPem: string, rule: SubjectRule): Promise<string>;
}

/** Refused certificate signing request; the message states the reason. */
export class RefusedRequest extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'RefusedRequest';
  }
}
