import type { RoamingDeps } from '#api/services/roaming/deps.ts';
import { DomainError } from '#shared/domain/kernel/errors.ts';
import {
  type RegistrationEvent,
  type RegistrationState,
  registrationTransitions,
  stateAfter,
} from '#shared/domain/roaming/registration.ts';
import { findHandshake, type HandshakeRecord } from '#shared/postgres/roaming/ocpi-handshakes.ts';
import type { Transaction } from '#shared/postgres/kernel/client.ts';

/**
 * Returns the state of a registration after an event.
 * @throws {DomainError} OCPI_REGISTRATION_STATE when the event is not possible now.
 */
export function requireTransition<Event extends RegistrationEvent>(
  state: RegistrationState,
  event: Event,
): (typeof registrationTransitions)[Event]['to'] {
  if (stateAfter(state, event) !== null) return registrationTransitions[event].to;
  const possible = registrationTransitions[event].from.join(', ');
  throw new DomainError(
    'OCPI_REGISTRATION_STATE',
    `The registration of this partner is ${state}; this command is possible in ${possible}.`,
    { registration: state },
  );
}

/**
 * Returns the handshake in progress with a locked partner, or null.
 * @throws {DomainError} OCPI_HANDSHAKE_RUNNING while a run of it has not ended.
 */
export async function idleHandshake(
  transaction: Transaction,
  partnerId: number,
): Promise<HandshakeRecord | null> {
  const handshake = await findHandshake(transaction, partnerId);
  if (handshake?.isClaimed !== true) return handshake;
  throw new DomainError(
    'OCPI_HANDSHAKE_RUNNING',
    'A handshake with this partner runs already: wait for its result.',
  );
}

/** The error of a run whose handshake was replaced by another one, or ended. */
export function superseded(): DomainError {
  return new DomainError(
    'OCPI_REGISTRATION_STATE',
    'The registration of this partner changed during the handshake: read the partner again.',
  );
}

/** Returns a sealed token in clear. Null: no token, or another key sealed it. */
export function opened(
  { secrets }: Pick<RoamingDeps, 'secrets'>,
  { sealingKey }: Pick<HandshakeRecord, 'sealingKey'>,
  sealed: Buffer | null,
): string | null {
  return sealed === null || !secrets.knownIds.includes(sealingKey) ? null : secrets.open(sealed, sealingKey);
}
