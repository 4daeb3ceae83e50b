import type { FastifyRequest } from 'fastify';
import type { DomainError, ErrorCode } from '#shared/domain/kernel/errors.ts';
import { ocpiStatus } from '#shared/domain/roaming/ocpi.ts';
import { usesOcpiStatuses } from './ocpi-partner.ts';

/** Error format of an API family. */
export interface ErrorFormat {
  contentType: string;
  /** Challenge of a 401 response (RFC 9110 §11.6.1). */
  challenges: readonly string[];
  /** Returns the HTTP status where it can differ from that of the error. */
  status?(error: DomainError, request: FastifyRequest): number;
  body(error: DomainError, requestId: string): unknown;
}

/** Error format of the operator API, the counterpart of its success envelope. */
export const envelopeErrors: ErrorFormat = {
  contentType: 'application/json',
  challenges: ['ApiKey realm="chargeway"', 'Bearer realm="chargeway"'],
  body: ({ code, message, details }) => ({
    success: false,
    error: { code, message, ...(details !== undefined && { details }) },
    timestamp: new Date().toISOString(),
  }),
};

/** Error format of the public API and of paths outside the families: problem details (RFC 9457). */
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
 * Error format of OCPI: the envelope without data. Errors of the handshake have HTTP status 200 (OCPI 2.2.1 §5), and so have
 * invalid requests to the standard surface: an HTTP error is for requests that do not reach an existing resource.
 */
export const ocpiErrors: ErrorFormat = {
  contentType: 'application/json',
  challenges: ['Token realm="chargeway"'],
  status({ code, status }, request) {
    const isSemantic =
      handshakeFaults.includes(code) || (code === 'VALIDATION_FAILED' && usesOcpiStatuses(request));
    return isSemantic ? 200 : status;
  },
  body: ({ code, message, status }) => ({
    status_code: ocpiStatusCodes[code] ?? (status >= 500 ? ocpiStatus.serverError : ocpiStatus.clientError),
    status_message: `${code}: ${message}`,
    timestamp: new Date().toISOString(),
  }),
};

/** Returns the error format of the family of a URL, for requests without a route. */
export function errorFormatOf(url: string): ErrorFormat {
  if (url.startsWith('/ocpi/')) return ocpiErrors;
  return url.startsWith('/cpms/') ? envelopeErrors : problemErrors;
}

/** Errors of the OCPI handshake, which have HTTP status 200. */
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
  SESSION_NOT_FOUND: ocpiStatus.invalidParameters,
  LOCATION_NOT_FOUND: ocpiStatus.unknownLocation,
  CONNECTOR_NOT_FOUND: ocpiStatus.unknownLocation,
  EVSE_NOT_FOUND: ocpiStatus.unknownLocation,
  ID_TOKEN_NOT_FOUND: ocpiStatus.unknownToken,
  OCPI_CALLBACK_FAILED: ocpiStatus.unableToUseClient,
  OCPI_VERSION_UNSUPPORTED: ocpiStatus.unsupportedVersion,
  OCPI_ENDPOINTS_MISSING: ocpiStatus.noMatchingEndpoints,
};

/** Returns a code as words, such as "Charger not found" for CHARGER_NOT_FOUND. */
export function titleOf(code: string): string {
  const words = code.replaceAll('_', ' ').toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}
