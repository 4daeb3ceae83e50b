import type { OcpiConnector, OcpiEvse } from '#api/services/roaming/locations.service.ts';
import { type FeedWriter, stateMaxAgeSeconds } from '#api/services/open-data/format.service.ts';
import type { EvseStatus } from '#shared/domain/fleet/ocpi-evse.ts';
import { connectorsWith, csvLine, identifierProblem, pointId, type Socket } from './irve.ts';

const header =
  'id_pdc_itinerance,etat_pdc,occupation_pdc,horodatage,etat_prise_type_2,etat_prise_type_combo_ccs,etat_prise_type_chademo,etat_prise_type_ef\n';

type State = 'en_service' | 'hors_service' | 'inconnu';
type Occupation = 'libre' | 'occupe' | 'reserve' | 'inconnu';

/** State and occupation of a charging point by its status in OCPI. */
const states: Record<EvseStatus, readonly [State, Occupation]> = {
  AVAILABLE: ['en_service', 'libre'],
  BLOCKED: ['en_service', 'occupe'],
  CHARGING: ['en_service', 'occupe'],
  RESERVED: ['en_service', 'reserve'],
  INOPERATIVE: ['hors_service', 'inconnu'],
  OUTOFORDER: ['hors_service', 'inconnu'],
  PLANNED: ['hors_service', 'inconnu'],
  REMOVED: ['hors_service', 'inconnu'],
  UNKNOWN: ['inconnu', 'inconnu'],
};

const socketStates: Record<State, string> = {
  en_service: 'fonctionnel',
  hors_service: 'hors_service',
  inconnu: 'inconnu',
};

/** States of the charging points: the dynamic file of IRVE 2.3.1. */
export const irveDynamic: FeedWriter = {
  contentType: 'text/csv; charset=utf-8',
  extension: 'csv',
  maxAgeSeconds: stateMaxAgeSeconds,
  separator: '',
  head: () => header,
  parts: ({ evses }) => evses.flatMap(line),
  foot: () => '',
  problems: (place) => place.evses.flatMap((evse) => identifierProblem(place, evse)),
};

function line(evse: OcpiEvse): string[] {
  const id = pointId(evse);
  if (id === null) return [];
  const [state, occupation] = states[evse.status];
  const sockets: Socket[] = ['type2', 'combo', 'chademo', 'ef'];
  return [
    csvLine([
      id,
      state,
      occupation,
      evse.lastUpdated.toISOString(),
      ...sockets.map((socket) => socketState(connectorsWith(evse, socket))),
    ]),
  ];
}

/** State of the sockets of one kind: the best of them. Null without one. */
function socketState(connectors: readonly OcpiConnector[]): string | null {
  if (connectors.length === 0) return null;
  const found = new Set(connectors.map(({ status }) => states[status][0]));
  const order: State[] = ['en_service', 'inconnu', 'hors_service'];
  return socketStates[order.find((state) => found.has(state)) ?? 'inconnu'];
}
