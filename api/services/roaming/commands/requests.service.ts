import type { RoamingDeps } from '#api/services/roaming/deps.ts';
import type { CallingPartner } from '#api/services/roaming/partners.service.ts';
import { invalid } from '#api/services/roaming/wire/date-time.ts';
import { ocpiStatus } from '#shared/domain/roaming/ocpi.ts';
import type { CommandAnswer, PartnerTask } from '#shared/domain/roaming/ocpi-command.ts';
import type { Asked } from '#shared/postgres/roaming/ocpi-commands.ts';

/** A request of a partner, with where its result goes. */
export interface PartnerRequest {
  partner: CallingPartner;
  asked: Asked;
  /** Null: the result is not sent. */
  responseUrl: string | null;
}

/**
 * Time in ms for the look-up of a `response_url`'s name, after which the request is accepted all the same.
 */
const lookupMs = 2000;

/**
 * Refuses a request whose result could not be delivered, before a charger receives it.
 * @throws {DomainError} VALIDATION_FAILED (2001).
 */
export async function requireDeliverable(
  { outbound }: Pick<RoamingDeps, 'outbound'>,
  { responseUrl }: PartnerRequest,
): Promise<void> {
  const refusal = responseUrl === null ? null : await outbound.refusal(responseUrl, lookupMs);
  if (refusal !== null) throw invalid('response_url', `cannot be called: ${refusal.message}`);
}

/** Immediate response to a request. */
export interface ImmediateAnswer {
  answer: CommandAnswer;
  message: string | null;
  statusCode: number;
}

/** Planned request: its response and, where it is accepted, its task. */
export interface Plan extends ImmediateAnswer {
  task: PartnerTask | null;
  chargerId: number | null;
  sessionId: string | null;
}

/** A request that is not carried out. */
export function declined(
  answer: Exclude<CommandAnswer, 'ACCEPTED'>,
  message: string,
  statusCode: number = ocpiStatus.success,
): Plan {
  return { answer, message, statusCode, task: null, chargerId: null, sessionId: null };
}

/** A request that is. */
export function agreed(
  task: PartnerTask,
  { chargerId, sessionId = null }: { chargerId: number; sessionId?: string | null },
): Plan {
  return { answer: 'ACCEPTED', message: null, statusCode: ocpiStatus.success, task, chargerId, sessionId };
}

/** Returns whether a charger can receive a command now. */
export async function isReachable(
  { bus }: Pick<RoamingDeps, 'bus'>,
  charger: { chargerUid: string },
): Promise<boolean> {
  return (await bus.presence.lookup(charger.chargerUid)) !== null;
}

/** Said of a charger that cannot be asked. */
export const unreachable = 'The charge point is not connected.';
