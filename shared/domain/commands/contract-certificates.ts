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

/** Status of a certificate that its OCSP responder signed (RFC 6960). */
export interface OcspStatus {
  status: 'Good' | 'Revoked' | 'Unknown';
  /** Answer of the responder: DER in Base64. */
  response: string;
  /** Time of the next status (RFC 3339). Null: not stated. */
  nextUpdate: string | null;
}

/** Verification of the contract certificate of a charger's network. */
export interface ContractVerificationRequest extends ContractEvidence {
  networkId: number;
  /** Contract identifier that the vehicle presented. */
  emaid: string;
}

/** Request for the status of a certificate, whose issuer the charger's network trusts. */
export interface CertificateStatusRequest {
  networkId: number;
  subject: OcspSubject;
}

/** A request of the gateway to an API process, which has the trusted certificates and may call OCSP responders. */
export type CertificateRequest =
  | ({ kind: 'contract' } & ContractVerificationRequest)
  | ({ kind: 'status' } & CertificateStatusRequest);

/** Time that a verification may take, in ms. */
export const contractDeadlineMs = 15_000;

/** Returns the channel on which the API process of a node verifies certificates. */
export function contractVerifierChannelOf(node: string): string {
  return `contract-desk:${node}`;
}
