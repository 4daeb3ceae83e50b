import { send } from '#api/services/commands/send.ts';
import type { ApiDeps } from '#api/services/deps.ts';
import { DomainError } from '#shared/domain/kernel/errors.ts';
import {
  type BootedCharger,
  returnUnreportedCharger,
  takeUnreportedChargers,
} from '#shared/postgres/fleet/device-reports.statements.ts';

/** Number of chargers that a run asks, all at once. */
const chargersAtOnce = 200;

/** Time for a charger to answer that it will report, in ms. */
const answerTimeoutMs = 10_000;

/** Time after its boot in which a charger that rejects its first report, or does not answer, may still be starting, in ms. */
const bootingMs = 5 * 60_000;

/** Errors after which a charger is asked again by the next run; after others, it is asked after its next boot. */
const temporary: ReadonlySet<string> = new Set(['CHARGER_OFFLINE', 'CHARGER_HELD', 'STORE_UNAVAILABLE']);

/**
 * Asks stations that limit sessions and calculate costs themselves for their device model after each boot: limits, tariffs and event
 * streams depend on what they report (OCPP 2.1 B07, N02, N12). A charger that fails does not keep the others from being asked.
 * @throws the error of the last charger that failed for another reason than its answer.
 */
export async function requestDeviceReports(deps: ApiDeps): Promise<void> {
  const chargers = await takeUnreportedChargers(deps.sql, chargersAtOnce);
  const results = await Promise.allSettled(
    chargers.map(async (charger) => {
      const isAsked = await request(deps, charger).catch(async (error: unknown) => {
        await returnUnreportedCharger(deps.sql, charger.id);
        throw error;
      });
      if (!isAsked) await returnUnreportedCharger(deps.sql, charger.id);
    }),
  );
  const failure = results.findLast(({ status }) => status === 'rejected');
  if (failure?.status === 'rejected') throw failure.reason;
}

/** Returns false for a charger that has to be asked again. */
async function request(deps: ApiDeps, { bootedAt, ...charger }: BootedCharger): Promise<boolean> {
  // Reports of different boots have different numbers.
  const requestId = Math.floor(bootedAt.getTime() / 1000);
  const isYoung = deps.clock.now() - bootedAt.getTime() < bootingMs;
  const calls = [
    ['GetBaseReport', { requestId, reportBase: 'FullInventory' }],
    ['GetMonitoringReport', { requestId }],
    ['GetPeriodicEventStream', {}],
  ] as const;
  for (const [action, payload] of calls) {
    // A charger that accepted the first report has started: the long report is not repeated for the later ones.
    const mayBeStarting = isYoung && action === 'GetBaseReport';
    try {
      const command = { type: 'ocpp', action, payload } as const;
      const { status } = await send(deps, null, charger, command, { timeoutMs: answerTimeoutMs });
      if (mayBeStarting && status === 'Rejected') return false;
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      if (temporary.has(error.code) || (mayBeStarting && error.code === 'CHARGER_TIMEOUT')) return false;
    }
  }
  return true;
}
