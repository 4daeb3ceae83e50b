import { DomainError, type ErrorCode } from '#shared/domain/kernel/errors.ts';
import { envelopeErrors, ocpiErrors, problemErrors, titleOf } from '#api/plugins/error-bodies.ts';

const requestId = '0b6f0f2e-7f0e-4c1d-9a53-2f3f0f6d7c11';
const timestamp = '2026-01-31T12:00:00.000Z';

/** Messages of the most common errors. */
const messages: Partial<Record<ErrorCode, string>> = {
  VALIDATION_FAILED: 'Invalid query: pageSize must be <= 100.',
  MALFORMED_JSON: 'The body is not valid JSON.',
  BODY_TIMEOUT: 'The body was incomplete after 30 s. Send the whole body at once.',
  KEY_MISSING: 'Send a key in X-API-Key, or an access token in Authorization: Bearer.',
  OCPI_TOKEN_MISSING: 'The header Authorization: Token … is missing.',
  API_FAMILY_MISMATCH: 'This key belongs to the emsp family; /cpms/v1 accepts keys of the cpms family.',
  CHARGER_NOT_FOUND: 'No charger 123e4567-e89b-42d3-a456-426614174000.',
  NETWORK_NOT_FOUND: 'No network 123e4567-e89b-42d3-a456-426614174000.',
  CHARGER_OFFLINE: 'The charger QUAY-1 is not connected.',
  PRECONDITION_FAILED: 'The record was changed since it was read: read it again.',
  RATE_LIMITED: 'Too many requests within an hour: try again in 1260 s.',
  INTERNAL_ERROR: 'Internal error. The request id identifies it in the server log.',
};

const details: Partial<Record<ErrorCode, Record<string, unknown>>> = {
  VALIDATION_FAILED: { errors: [{ field: 'pageSize', message: 'must be <= 100' }] },
  RATE_LIMITED: { retryAfterSeconds: 1260 },
};

/** Returns the example body of an error response with this schema. */
export function errorExample(schemaRef: string, code: ErrorCode): unknown {
  const message = messages[code] ?? `${titleOf(code)}.`;
  const body = formatOf(schemaRef).body(new DomainError(code, message, details[code]), requestId) as object;
  return 'timestamp' in body ? { ...body, timestamp } : body;
}

function formatOf(schemaRef: string) {
  if (schemaRef.startsWith('CpmsError')) return envelopeErrors;
  return schemaRef.startsWith('OCPI') ? ocpiErrors : problemErrors;
}
