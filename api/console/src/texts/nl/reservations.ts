import type { Texts } from '../texts.ts';

export const reservations: Texts['reservations'] = {
  title: 'Reserveringen',
  empty: 'Geen reserveringen.',
  anyStatus: 'Elke status',
  anyConnector: 'Elke connector',
  cancelled: 'De laadpaal heeft de reservering geannuleerd.',
  status: {
    Active: 'Actief',
    Used: 'Gebruikt',
    Cancelled: 'Geannuleerd',
    Expired: 'Verlopen',
    Removed: 'Verwijderd',
  },
  columns: {
    number: 'Nummer',
    connector: 'Connector',
    token: 'Token',
    group: 'Groep',
    status: 'Status',
    expires: 'Verloopt',
    created: 'Aangemaakt',
    actions: 'Acties',
  },
  new: {
    open: 'Reserveren…',
    title: 'Connector van {{charger}} reserveren',
    group: 'Groep (optioneel)',
    action: 'Reserveren',
    sending: 'Verzenden…',
    done: 'Reservering {{number}} is actief.',
  },
  cancel: {
    open: 'Annuleren…',
    title: 'Reservering {{number}} annuleren',
    detail: 'Elke token kan dan laden op de connector van {{charger}} die {{token}} heeft gereserveerd.',
    action: 'Reservering annuleren',
  },
};
