/** Body of a site: a grid connection of 63 A, and boards of 32 A and 16 A with connectors. */
export function loadSite(...connectorIds: string[]) {
  return {
    name: 'Quay',
    circuits: [
      circuit('grid', null, 63, { kind: 'metered', amps: [20, 20, 20] }),
      circuit('board-a', 'grid', 32),
      circuit('board-b', 'grid', 16),
    ],
    connectors: connectorIds.map((connectorId) => ({
      connectorId,
      circuitId: 'board-a',
      rotation: 'RST',
      maxAmps: 32,
    })),
  };
}

const circuit = (id: string, parentId: string | null, amps: number, otherLoad: object = none) => ({
  id,
  name: id,
  parentId,
  amps: [amps, amps, amps],
  schedule: [],
  otherLoad,
  transformerRatio: null,
});

const none = { kind: 'fixed', amps: [0, 0, 0] };
