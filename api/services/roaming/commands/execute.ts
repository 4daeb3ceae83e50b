import { enqueue } from '#shared/postgres/kernel/jobs.statements.ts';
import type { RoamingDeps } from '#api/services/roaming/deps.ts';
import { performProfileTask } from '#api/services/roaming/profiles/perform.ts';
import { findPartnerById } from '#shared/postgres/roaming/ocpi-partners.statements.ts';
import {
  type BegunCommand,
  beginCommand,
  type CommandOutcome,
  isUnderWay,
  storeOutcome,
} from '#shared/postgres/roaming/ocpi-commands.ts';
import type { PartnerTask } from '#shared/domain/roaming/ocpi-command.ts';
import { performCommand, type Principal } from './perform.ts';

/**
 * Seconds that exceed any charger's response time: the process that began a command has its result by then,
 * or has died.
 */
const longestRunSeconds = 45;

/**
 * Executes a partner's command once, in spite of concurrent and dying processes, since a repeated request may
 * start twice. A command that was not begun in time, or by a process that died, ends as a TIMEOUT.
 * @throws {Error} while another process executes it: to be tried again later.
 */
export async function executeCommand(deps: RoamingDeps, uuid: string): Promise<void> {
  const begun = await beginCommand(deps.sql, uuid);
  if (begun === null) {
    if (await isUnderWay(deps.sql, uuid, longestRunSeconds)) {
      throw new Error(`another process executes the command ${uuid}`);
    }
    await finish(deps, uuid, { result: 'TIMEOUT', message: 'The command was not carried out in time.' });
    return;
  }
  await finish(deps, uuid, await perform(deps, begun));
}

async function perform(deps: RoamingDeps, { partnerId, task, asked }: BegunCommand): Promise<CommandOutcome> {
  const partner = await findPartnerById(deps.sql, partnerId);
  if (partner === null) return { result: 'REJECTED', message: 'The partnership ended.' };
  const { ipAddress, requestId } = asked;
  const principal: Principal = { by: { partner, ipAddress, requestId }, networkId: partner.networkId };
  return isOfProfile(task)
    ? performProfileTask(deps, principal, task)
    : performCommand(deps, principal, task);
}

function isOfProfile(task: PartnerTask): task is Extract<PartnerTask, { type: `${string}_PROFILE` }> {
  return task.type.endsWith('_PROFILE');
}

/** Stores the result and queues its notification in one transaction. */
async function finish(deps: RoamingDeps, uuid: string, outcome: CommandOutcome): Promise<void> {
  await deps.sql.begin(async (transaction) => {
    const { mustNotify } = await storeOutcome(transaction, uuid, outcome);
    if (mustNotify) await enqueue(transaction, 'ocpi-result', { uuid, about: 'result' });
  });
}
