import type { Exchange } from './exchange-log.ts';

/** Actions that chargers send often, by version; further ones are offered when the log shows them. */
const usual: Record<string, readonly string[]> = {
  '1.6': [
    'Authorize',
    'BootNotification',
    'DataTransfer',
    'FirmwareStatusNotification',
    'Heartbeat',
    'MeterValues',
    'StartTransaction',
    'StatusNotification',
    'StopTransaction',
    'RemoteStartTransaction',
    'RemoteStopTransaction',
    'Reset',
  ],
  '2.0.1': [
    'Authorize',
    'BootNotification',
    'DataTransfer',
    'Heartbeat',
    'MeterValues',
    'NotifyEvent',
    'NotifyReport',
    'StatusNotification',
    'TransactionEvent',
    'RequestStartTransaction',
    'RequestStopTransaction',
    'Reset',
    'SetVariables',
    'GetVariables',
  ],
};

/** Returns the actions to filter by, in alphabetical order. */
export function actionsToFilter(
  version: string | null,
  exchanges: readonly Exchange[],
  chosen: string | null,
): string[] {
  const seen = exchanges.slice(0, 1000).map(({ call, answer }) => (call ?? answer)?.action ?? null);
  const all = [...(usual[version ?? '1.6'] ?? []), ...seen, chosen].filter((action) => action !== null);
  return [...new Set(all)].toSorted();
}
