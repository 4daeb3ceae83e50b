import { DomainError, type ErrorCode } from '#shared/domain/kernel/errors.ts';
import type { HandshakeStep } from '#shared/domain/roaming/registration.ts';
import { type HandshakeFault, HandshakeError } from './discovery.ts';
import type { DoneStep, HandshakeRun } from './run.service.ts';

const codes: Record<HandshakeFault, ErrorCode> = {
  'address-refused': 'OCPI_ADDRESS_NOT_PERMITTED',
  unreachable: 'OCPI_PARTNER_UNREACHABLE',
  unauthorized: 'OCPI_PARTNER_UNAUTHORIZED',
  refused: 'OCPI_PARTNER_REFUSED',
  'version-unsupported': 'OCPI_VERSION_UNSUPPORTED',
  'endpoints-missing': 'OCPI_ENDPOINTS_MISSING',
  'credentials-invalid': 'OCPI_CREDENTIALS_INVALID',
};

/** Returns the error of a failed step for the operator who ran the handshake. Null: a fault of our own. */
export function failureOf(
  error: unknown,
  run: FailedRun,
  step: HandshakeStep,
  done: readonly DoneStep[],
): DomainError | null {
  if (error instanceof HandshakeError) {
    const { fault, url } = error;
    return new DomainError(codes[fault], sentences[fault](error, run), { step, url, done }, { cause: error });
  }
  if (error instanceof DomainError) {
    const message =
      error.code === 'OCPI_PARTY_NOT_GRANTED'
        ? `${partiesOf(error)} Grant them with \`parties\`, then repeat the handshake: the partner's answer is kept.`
        : error.message;
    return new DomainError(error.code, message, { ...error.details, step, done }, { cause: error });
  }
  return null;
}

/** The parties of an error that was written for the partner. */
function partiesOf({ message }: DomainError): string {
  const parties = /: ([^.]+)\./.exec(message)?.[1] ?? '';
  return `The partner's credentials name parties that were not granted to it: ${parties}.`;
}

type FailedRun = Pick<HandshakeRun, 'handshake' | 'spoken' | 'method'>;

/** Sentences by fault: what was wrong, and the remedy. */
const sentences: Record<HandshakeFault, (error: HandshakeError, run: FailedRun) => string> = {
  'address-refused': ({ url, message }) =>
    `${url} cannot be called (${message}). Only public addresses and addresses in OUTBOUND_ALLOW are permitted.`,
  unreachable: ({ url, message }) =>
    `${url} did not answer (${message}). Verify the URL and that the partner's server runs, then repeat.`,
  unauthorized: ({ url, message }, { handshake, method }) =>
    `${url} refused our token (${message}). ${tokenHint(handshake.attempts, handshake.ourToken !== null, method)}`,
  refused: ({ url, message }) =>
    `${url} refused the request (${message}). Read the exchange log, and contact the partner.`,
  'version-unsupported': ({ message }, { spoken }) =>
    `The partner lists the OCPI versions ${message}; we speak ${spoken.join(' and ')}. Agree on one of ours.`,
  'endpoints-missing': ({ url }) =>
    `${url} lists no usable endpoint of the module credentials. The partner must add it to its version details.`,
  'credentials-invalid': ({ url, message }) =>
    `${url} accepted our credentials, but ${message}. The partner must answer with its credentials.`,
};

/** The remedy of a refused token, which depends on whether an earlier run may have used it up. */
function tokenHint(attempts: number, wasSent: boolean, method: 'POST' | 'PUT'): string {
  if (wasSent && attempts > 1) {
    return method === 'PUT'
      ? 'The partner may have accepted an earlier attempt whose answer was lost: let it send PUT credentials, or unregister and begin again.'
      : 'The partner may have accepted an earlier attempt whose answer was lost: request a new token from it and begin again.';
  }
  return 'Verify the token, and its encoding in `quirks.tokenEncoding`.';
}
