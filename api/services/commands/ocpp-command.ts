import { isDeepStrictEqual } from 'node:util';
import { DomainError } from '#shared/domain/kernel/errors.ts';
import { storable } from '#shared/postgres/kernel/storable.ts';
import type { Actor } from '#api/services/access/audit.ts';
import { send, type SentCommand } from './send.ts';
import type { ChargerRecord } from '#api/services/fleet/chargers.ts';
import type { ServiceDeps } from '#api/services/kernel/deps.ts';

/**
 * Sends any action of the OCPP version that the charger is connected with; its shard holds the payload to the
 * standard's schema.
 * @throws {DomainError} ACTION_UNKNOWN, VALIDATION_FAILED, and what `send` throws.
 */
export function sendOcppCommand(
  deps: ServiceDeps,
  by: Actor,
  charger: ChargerRecord,
  { action, payload }: { action: string; payload: Record<string, unknown> },
): Promise<SentCommand> {
  if (!isDeepStrictEqual(storable(payload), payload)) {
    const message = 'must not contain NUL characters or halves of surrogate pairs';
    throw new DomainError('VALIDATION_FAILED', `The body ${message}.`, { errors: [{ field: '', message }] });
  }
  return send(deps, by, charger, { type: 'ocpp', action, payload });
}
