import type { IdTokenType } from './session.ts';

/** Token in the form in which chargers receive it. */
export interface ChargerToken {
  idToken: string;
  type: IdTokenType;
}

/** An entry of the list that a charger keeps for itself. */
export interface LocalListEntry extends ChargerToken {
  /** Null: it is taken out of the list. */
  accepted: { groupId: string | null; expiresAt: Date | null } | null;
}

/** Hash that identifies a certificate to a charger (CertificateHashDataType), in hexadecimal. */
export interface CertificateHash {
  hashAlgorithm: 'SHA256' | 'SHA384' | 'SHA512';
  issuerNameHash: string;
  issuerKeyHash: string;
  serialNumber: string;
}
