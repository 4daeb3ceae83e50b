import { texts } from '../../app/search-params.ts';

const simulationNames = ['session', 'start', 'zone', 'parking', 'amounts', 'view'] as const;

/** Simulated session and its presentation, as they stand in the address. */
export type SimulationSearch = { [Name in (typeof simulationNames)[number]]?: string };

/** Search parameters of the page of a tariff: its simulation, and whether ended assignments are shown. */
export function tariffSearch(search: Record<string, unknown>) {
  return texts(search, ...simulationNames, 'assignments');
}

/** Search parameters of the editor: the simulation of the draft. */
export function tariffEditorSearch(search: Record<string, unknown>): SimulationSearch {
  return texts(search, ...simulationNames);
}

/** Search parameters of the editor of a new tariff: the tariff that it begins with, and the simulation. */
export function newTariffSearch(search: Record<string, unknown>) {
  return texts(search, ...simulationNames, 'copy');
}
