import type { Static } from 'typebox';
import type { LoadSiteRecord } from '#api/services/load/load-sites.service.ts';
import type { LoadSite, LoadSiteSummary, rotations } from './load-site-schema.ts';

const time = (ms: number | null) => (ms === null ? null : new Date(ms).toISOString());

/** Returns a site as operators read it. */
export function siteView(site: LoadSiteRecord): Static<typeof LoadSite> {
  const { strategy, times, raiseEvery, rampAmps, rebalanceEvery } = site.settings;
  return {
    id: site.uuid,
    networkId: site.networkId,
    networkUuid: site.networkUuid,
    name: site.name,
    locationId: site.locationUuid,
    isEnabled: site.isEnabled,
    timeZone: site.timeZone,
    settings: {
      strategy,
      minOnSeconds: times.minOn,
      turnSeconds: times.turn,
      raiseEverySeconds: raiseEvery,
      rampAmps,
      rebalanceEverySeconds: rebalanceEvery,
    },
    circuits: site.circuits.map(({ id, name, parentId, amps, schedule, other, transformerRatio }) => ({
      id,
      name,
      parentId,
      amps: [...amps],
      schedule: schedule.map((part) => ({ ...part, amps: [...part.amps] })),
      otherLoad:
        other.kind === 'fixed'
          ? { kind: 'fixed', amps: [...other.amps] }
          : { kind: other.measures === 'other' ? 'metered' : 'metered-total', amps: [...other.worstAmps] },
      transformerRatio,
    })),
    connectors: site.connectors.map((connector) => ({
      connectorId: connector.id,
      circuitId: connector.circuitId,
      rotation: (connector.rotation?.join('') ?? null) as (typeof rotations)[number] | null,
      connection: connector.connection,
      voltage: connector.voltage,
      minAmps: connector.minAmps,
      maxAmps: connector.maxAmps,
      fallbackAmps: connector.fallbackAmps,
      control: connector.control,
      quirks: connector.quirks,
      priority: connector.priority,
      connectorNumber: connector.number,
      chargerId: connector.chargerUuid,
      chargerUid: connector.chargerUid,
      setAsideAt: time(connector.setAsideAt),
    })),
    bounds: site.bounds.map(({ id, source, target, amps, validFrom, validUntil }) => ({
      id,
      source,
      circuitId: 'circuitId' in target ? target.circuitId : null,
      connectorId: 'connectorId' in target ? target.connectorId : null,
      amps: [...amps],
      validFrom: time(validFrom),
      validUntil: time(validUntil),
    })),
    version: site.version,
    createdAt: site.createdAt.toISOString(),
    updatedAt: site.updatedAt.toISOString(),
  };
}

/** Returns a site in a list. */
export function summaryView(site: LoadSiteRecord): Static<typeof LoadSiteSummary> {
  const grid = site.circuits.find(({ parentId }) => parentId === null);
  const [l1, l2, l3] = grid?.amps ?? [0, 0, 0];
  return {
    id: site.uuid,
    networkId: site.networkId,
    networkUuid: site.networkUuid,
    name: site.name,
    locationId: site.locationUuid,
    isEnabled: site.isEnabled,
    strategy: site.settings.strategy,
    gridAmps: [l1, l2, l3],
    circuits: site.circuits.length,
    connectors: site.connectors.length,
    setAside: site.connectors.filter(({ setAsideAt }) => setAsideAt !== null).length,
  };
}
