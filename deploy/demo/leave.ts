import type { Station } from '#shared/simulator/station.ts';

/** Ends what still runs, so that a stopped charger leaves no session behind. */
export async function leave(station: Station): Promise<void> {
  for (let connector = 1; connector <= station.connectors; connector += 1) {
    if (station.session(connector) === undefined) continue;
    await station.stopSession({ connector, reason: 'local' });
    await station.unplug(connector);
  }
  // A session that the API stopped a moment ago may be on its way still.
  await station.delivered();
  await station.close();
}
