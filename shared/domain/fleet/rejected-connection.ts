/** Reasons for which the gateway rejects the connection of a charger. */
export const rejectionReasons = [
  'unknown-identity',
  'missing-credentials',
  'wrong-credentials',
  'too-many-attempts',
  'unauthenticated',
  'tls-required',
  'certificate-rejected',
  'no-common-version',
] as const;
export type RejectionReason = (typeof rejectionReasons)[number];

/** Maximum length of a stored identity in characters; a longer one is cut off. */
export const maxIdentityLength = 255;
