import type { Texts } from '../texts.ts';

export const reservations: Texts['reservations'] = {
  title: 'Reservierungen',
  empty: 'Keine Reservierungen.',
  anyStatus: 'Jeder Status',
  anyConnector: 'Beliebiger Anschluss',
  cancelled: 'Die Ladestation hat die Reservierung storniert.',
  status: {
    Active: 'Aktiv',
    Used: 'Genutzt',
    Cancelled: 'Storniert',
    Expired: 'Abgelaufen',
    Removed: 'Entfernt',
  },
  columns: {
    number: 'Nummer',
    connector: 'Anschluss',
    token: 'Token',
    group: 'Gruppe',
    status: 'Status',
    expires: 'Läuft ab',
    created: 'Erstellt',
    actions: 'Aktionen',
  },
  new: {
    open: 'Reservieren…',
    title: 'Anschluss von {{charger}} reservieren',
    group: 'Gruppe (optional)',
    action: 'Reservieren',
    sending: 'Sendet…',
    done: 'Reservierung {{number}} ist aktiv.',
  },
  cancel: {
    open: 'Stornieren…',
    title: 'Reservierung {{number}} stornieren',
    detail: 'An dem Anschluss von {{charger}}, den {{token}} reserviert hat, kann dann jeder Token laden.',
    action: 'Reservierung stornieren',
  },
};
