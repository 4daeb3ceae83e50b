import type { Texts } from '../texts.ts';

export const chargers: Texts['chargers'] = {
  title: 'Ladestationen',
  states: 'Nach Zustand filtern',
  filters: 'Filter',
  all: 'Alle',
  any: 'Alle',
  search: 'Suche',
  searchHint: 'Ladestation, Seriennummer, EVSE, Standort…',
  connection: 'Verbindung',
  online: { online: 'Online', offline: 'Offline' },
  withAlert: 'Mit offener Meldung',
  empty: 'Noch keine Ladestationen.',
  column: {
    uid: 'Ladestation',
    state: 'Zustand',
    location: 'Standort',
    model: 'Modell',
    firmware: 'Firmware',
    version: 'OCPP',
    power: 'Leistung',
    sessions: 'Vorgänge',
    alerts: 'Meldungen',
    lastSeen: 'Letzte Nachricht',
    serial: 'Seriennummer',
    status: 'OCPP-Status',
  },
};
