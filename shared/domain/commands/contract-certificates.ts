/** AuthorizeCertificateStatusEnumType of OCPP 2.0.1. */
export type ContractStatus =
  | 'Accepted'
  | 'SignatureError'
  | 'CertificateExpired'
  | 'CertificateRevoked'
  /** Neither the chain nor its status could be read in time. */
  | 'NoCertificateAvailable'
  | 'CertChainError'
  | 'ContractCancelled';

/** A certificate in OCSP's words (OCSPRequestDataType), hashes and serial number in hexadecimal. */
export interface OcspSubject {
  hashAlgorithm: 'SHA256' | 'SHA384' | 'SHA512';
  issuerNameHash: string;
  issuerKeyHash: string;
  serialNumber: string;
  responderUrl: string;
}

/** Data of a contract certificate that a charger sent with Authorize (C07). */
export interface ContractEvidence {
  /** PEM of the contract certificate and its sub-CAs; null: the charger verified the chain by itself. */
  chain: string | null;
  hashData: OcspSubject[];
}

/** A question of the gateway to an API process, which has the trusted certificates and may call OCSP responders. */
export interface ContractVerificationRequest extends ContractEvidence {
  networkId: number;
  /** Contract identifier that the vehicle presented. */
  emaid: string;
}

/** Time that a verification may take, in ms. */
export const contractDeadlineMs = 15_000;

/** Returns the channel on which the API process of a node verifies contract certificates. */
export function contractVerifierChannelOf(node: string): string {
  return `contract-desk:${node}`;
}
