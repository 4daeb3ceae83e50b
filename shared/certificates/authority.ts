/** Whom a certificate may name: a request whose subject is someone else is refused. */
export interface SubjectRule {
  /** The common name must be one of these: what stands for the charger and for no other. */
  commonNames: readonly string[];
  /** The organization that the certificate names, whatever the request says: the operator vouches for its chargers. */
  organization: string;
}

/**
 * Signs the certificates with which chargers show who they are (security profile 3). Another authority, such as a
 * company's PKI, takes the place of the local one by implementing this.
 */
export interface CertificateAuthority {
  /** The certificate, in PEM, that those who verify chargers must trust. */
  readonly root: string;
  /**
   * Checks a PKCS #10 request and signs it.
   * @returns the chain in PEM, the charger's certificate first, without the root (2.0.1 A02).
   * @throws {RefusedRequest} the request is not one that may be signed.
   */
  sign(csrPem: string, rule: SubjectRule): Promise<string>;
}

/** A certificate signing request that may not be signed; the message says why. */
export class RefusedRequest extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'RefusedRequest';
  }
}
