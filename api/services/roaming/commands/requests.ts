import type { RoamingDeps } from '#api/services/roaming/deps.ts';
import type { PartnerRecord } from '#api/services/roaming/partners.ts';
import { invalid } from '#api/services/roaming/wire/date-time.ts';
import { ocpiStatus } from '#shared/domain/roaming/ocpi.ts';
import type { CommandAnswer, PartnerTask } from '#shared/domain/roaming/ocpi-command.ts';
import type { Asked } from '#shared/postgres/roaming/ocpi-commands.ts';

/** A request of a partner, with where its result goes. */
export interface PartnerRequest {
  partner: PartnerRecord;
  asked: Asked;
  /** Null: the result is told to nobody. */
  responseUrl: string | null;
}

/** How long (ms) the name of a `response_url` is looked up before its request is taken all the same. */
const lookupMs = 2000;

/**
 * Stops a request whose result could be told to nobody, before a charger hears of it.
 * @throws {DomainError} VALIDATION_FAILED (2001).
 */
export async function requireTellable(
  { outbound }: Pick<RoamingDeps, 'outbound'>,
  { responseUrl }: PartnerRequest,
): Promise<void> {
  const refusal = responseUrl === null ? null : await outbound.refusal(responseUrl, lookupMs);
  if (refusal !== null) throw invalid('response_url', `cannot be called: ${refusal.message}`);
}

/** What is said to a request at once. */
export interface ImmediateAnswer {
  answer: CommandAnswer;
  message: string | null;
  statusCode: number;
}

/** A request that was looked at: what is said to it and, where it is accepted, what is to be done. */
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

/** Whether a charger can be asked anything now. */
export async function isReachable(
  { bus }: Pick<RoamingDeps, 'bus'>,
  charger: { chargerUid: string },
): Promise<boolean> {
  return (await bus.presence.lookup(charger.chargerUid)) !== null;
}

/** Said of a charger that cannot be asked. */
export const unreachable = 'The charge point is not connected.';
