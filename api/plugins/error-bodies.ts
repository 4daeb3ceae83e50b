import type { DomainError, ErrorCode } from '#shared/domain/kernel/errors.ts';
import { ocpiStatus } from '#shared/domain/roaming/ocpi.ts';

/** How one family of the API writes an error. */
export interface ErrorFormat {
  contentType: string;
  /** How to authenticate, for the answer of a 401 (RFC 9110 §11.6.1). */
  challenges: readonly string[];
  /** The HTTP status, where it is another than the error's own. */
  status?(error: DomainError): number;
  body(error: DomainError, requestId: string): unknown;
}

/** The operator API: the counterpart of its success envelope. */
export const envelopeErrors: ErrorFormat = {
  contentType: 'application/json',
  challenges: ['ApiKey realm="chargeway"', 'Bearer realm="chargeway"'],
  body: ({ code, message, details }) => ({
    success: false,
    error: { code, message, ...(details !== undefined && { details }) },
    timestamp: new Date().toISOString(),
  }),
};

/** The public API and everything outside the families: problem details (RFC 9457). */
export const problemErrors: ErrorFormat = {
  contentType: 'application/problem+json',
  challenges: ['ApiKey realm="chargeway"', 'Bearer realm="chargeway"'],
  body: ({ code, message, status, details }, requestId) => ({
    type: 'about:blank',
    title: titleOf(code),
    status,
    detail: message,
    code,
    instance: requestId,
    ...(details !== undefined && { details }),
  }),
};

/**
 * OCPI: the envelope without data. What is wrong with the handshake alone is said in the envelope of a request that
 * succeeded as such (OCPI 2.2.1 §5).
 */
export const ocpiErrors: ErrorFormat = {
  contentType: 'application/json',
  challenges: ['Token realm="chargeway"'],
  status: ({ code, status }) => (handshakeFaults.includes(code) ? 200 : status),
  body: ({ code, message, status }) => ({
    status_code: ocpiStatusCodes[code] ?? (status >= 500 ? ocpiStatus.serverError : ocpiStatus.clientError),
    status_message: `${code}: ${message}`,
    timestamp: new Date().toISOString(),
  }),
};

/** The error format of the family that a URL belongs to, for requests that no route has taken yet. */
export function errorFormatOf(url: string): ErrorFormat {
  if (url.startsWith('/ocpi/')) return ocpiErrors;
  return url.startsWith('/cpms/') ? envelopeErrors : problemErrors;
}

/** Errors of the OCPI handshake, which are answered with HTTP status 200. */
export const handshakeFaults: readonly ErrorCode[] = [
  'OCPI_CALLBACK_FAILED',
  'OCPI_VERSION_UNSUPPORTED',
  'OCPI_ENDPOINTS_MISSING',
];

const ocpiStatusCodes: Partial<Record<ErrorCode, number>> = {
  VALIDATION_FAILED: ocpiStatus.invalidParameters,
  MALFORMED_JSON: ocpiStatus.invalidParameters,
  BAD_REQUEST: ocpiStatus.invalidParameters,
  OCPI_PARTY_NOT_GRANTED: ocpiStatus.invalidParameters,
  LOCATION_NOT_FOUND: ocpiStatus.unknownLocation,
  CONNECTOR_NOT_FOUND: ocpiStatus.unknownLocation,
  EVSE_NOT_FOUND: ocpiStatus.unknownLocation,
  ID_TOKEN_NOT_FOUND: ocpiStatus.unknownToken,
  OCPI_CALLBACK_FAILED: ocpiStatus.unableToUseClient,
  OCPI_VERSION_UNSUPPORTED: ocpiStatus.unsupportedVersion,
  OCPI_ENDPOINTS_MISSING: ocpiStatus.noMatchingEndpoints,
};

/** CHARGER_NOT_FOUND: "Charger not found". */
export function titleOf(code: string): string {
  const words = code.replaceAll('_', ' ').toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}
