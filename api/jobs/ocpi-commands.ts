import type { ApiDeps } from '#api/services/deps.ts';
import { executeCommand } from '#api/services/roaming/commands/execute.ts';
import { sendResult } from '#api/services/roaming/commands/notify.ts';
import { pushActiveProfile } from '#api/services/roaming/profiles/push.ts';

/** Runs queued commands of roaming partners and sends them the results, in any process. */
export async function startOcpiCommands(deps: ApiDeps): Promise<void> {
  await deps.queue.work('ocpi-command', ({ uuid }) => executeCommand(deps, uuid));
  await deps.queue.work('ocpi-result', ({ uuid, about }) => sendResult(deps, uuid, about));
  await deps.queue.work('ocpi-active-profile', ({ sessionUuid }) => pushActiveProfile(deps, sessionUuid));
}
