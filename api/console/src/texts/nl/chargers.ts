import type { Texts } from '../texts.ts';

export const chargers: Texts['chargers'] = {
  title: 'Laadpalen',
  states: 'Filteren op toestand',
  filters: 'Filters',
  all: 'Alle',
  any: 'Alle',
  search: 'Zoeken',
  searchHint: 'Laadpaal, serienummer, EVSE, locatie…',
  connection: 'Verbinding',
  online: { online: 'Online', offline: 'Offline' },
  withAlert: 'Met een open melding',
  empty: 'Nog geen laadpalen.',
  column: {
    uid: 'Laadpaal',
    state: 'Toestand',
    location: 'Locatie',
    model: 'Model',
    firmware: 'Firmware',
    version: 'OCPP',
    power: 'Vermogen',
    sessions: 'Sessies',
    alerts: 'Meldingen',
    lastSeen: 'Laatste bericht',
    serial: 'Serienummer',
    status: 'OCPP-status',
  },
};
