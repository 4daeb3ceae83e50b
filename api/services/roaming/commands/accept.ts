import { enqueue } from '#shared/postgres/kernel/jobs.statements.ts';
import type { SentCommand, VouchedToken } from '#api/services/roaming/wire/v221/command.ts';
import { createHash } from 'node:crypto';
import type { RoamingDeps } from '#api/services/roaming/deps.ts';
import {
  beginWithinSeconds,
  commandTimeoutSeconds,
  type PartnerTask,
} from '#shared/domain/roaming/ocpi-command.ts';
import { DomainError } from '#shared/domain/kernel/errors.ts';
import type { Transaction } from '#shared/postgres/kernel/client.ts';
import { insertAuthorization } from '#shared/postgres/roaming/ocpi-authorizations.ts';
import type { Requester } from '#shared/postgres/roaming/requester.ts';
import {
  type CommandRecord,
  findCommand,
  findRepeated,
  insertCommand,
  lockKey,
} from '#shared/postgres/roaming/ocpi-commands.ts';
import { requireActive } from '#api/services/roaming/hub-clients.ts';
import { requireOwnParty } from '#api/services/roaming/own-parties.ts';
import { planCommand } from './plan.service.ts';
import {
  type ImmediateAnswer,
  type PartnerRequest,
  type Plan,
  requireDeliverable,
} from './requests.service.ts';

export type { CommandRecord } from '#shared/postgres/roaming/ocpi-commands.ts';

/** The real-time authorization that a vouched token does not need: of a card for 15 minutes, of others never (§13.3.5). */
const vouchedMs = 15 * 60_000;
/** As long as a session that comes too late is still bound to its remote start. */
const lateStartMs = 60 * 60_000;

/**
 * Takes a command: answers at once, and has done in the background what was accepted. The same command again gets the first
 * answer and commands nothing; it is the same by its `commandId` or, in the standard's form, which has none, by its whole
 * body with the `response_url`, until that must have been answered.
 * @throws {DomainError} VALIDATION_FAILED (2001) when the id was used for another command, the token is of another party, or the
 * `response_url` cannot be called.
 */
export async function acceptCommand(
  deps: RoamingDeps,
  request: PartnerRequest & { commandId: string | null },
  sent: SentCommand,
): Promise<ImmediateAnswer> {
  const { partner, commandId, responseUrl } = request;
  if ('token' in sent) {
    await requireOwnParty(deps, partner, sent.token);
    await requireActive(deps, partner, sent.token);
  }
  await requireDeliverable(deps, request);
  const { client } = partner;
  const repeatKey =
    commandId === null ? hashOf({ ...sent, responseUrl, ...(client !== null && { client }) }) : null;
  const plan = await planCommand(deps, partner, sent);
  return deps.sql.begin(async (transaction) => {
    await lockKey(transaction, partner.id, commandId ?? repeatKey ?? '');
    const key = { commandId, repeatKey };
    const earlier = await findRepeated(transaction, partner, key, commandTimeoutSeconds);
    if (earlier !== null) {
      if (earlier.type === sent.type && earlier.isOfRequester) return earlier;
      const message = earlier.isOfRequester ? `was used for ${earlier.type}` : 'is used already';
      throw new DomainError('VALIDATION_FAILED', `The command_id ${message}.`, {
        errors: [{ field: 'command_id', message }],
      });
    }
    const authorizationId = await vouch(transaction, request, sent, plan);
    await storeRequest(transaction, request, sent.type, plan, { ...key, authorizationId });
    return plan;
  });
}

/** Stores a request with its answer and, where that is yes, queues what is to be done. */
export async function storeRequest(
  transaction: Transaction,
  { partner, responseUrl, asked }: PartnerRequest,
  type: PartnerTask['type'],
  plan: Plan,
  more: { commandId: string | null; repeatKey: string | null; authorizationId: bigint | null },
): Promise<void> {
  const stored = { ...plan, ...more, partnerId: partner.id, type, responseUrl, asked, beginWithinSeconds };
  const uuid = await insertCommand(transaction, stored);
  if (plan.task !== null) await enqueue(transaction, 'ocpi-command', { uuid });
}

/** A command that a partner gave an id, with what became of it, or null. */
export function readCommand(
  { sql }: Pick<RoamingDeps, 'sql'>,
  partner: Requester,
  commandId: string,
): Promise<CommandRecord | null> {
  return findCommand(sql, partner, commandId);
}

/** Keeps the partner's word for its token, before the charger hears of it: what begins with it is the partner's. */
async function vouch(
  transaction: Transaction,
  { partner }: PartnerRequest,
  sent: SentCommand,
  { task, chargerId }: Plan,
): Promise<bigint | null> {
  const isVouching = sent.type === 'START_SESSION' || sent.type === 'RESERVE_NOW';
  if (!isVouching || task === null || !('idTag' in task) || chargerId === null) return null;
  const { token, groupId, authorizationReference }: VouchedToken = sent;
  return insertAuthorization(transaction, {
    partnerId: partner.id,
    chargerId,
    token,
    shownAs: task.idTag,
    authMethod: 'COMMAND',
    authorizationReference,
    groupId,
    expiresAt: new Date(vouchedUntil(sent)),
  });
}

function vouchedUntil(sent: SentCommand & VouchedToken): number {
  const now = Date.now();
  if (sent.token.type === 'RFID') return now + vouchedMs;
  return 'expiresAt' in sent ? sent.expiresAt.getTime() : now + lateStartMs;
}

function hashOf(value: object): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex');
}
