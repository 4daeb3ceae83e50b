import type { Texts } from '../texts.ts';

export const drivers: Texts['drivers'] = {
  title: 'Fahrer',
  searchHint: 'Name, E-Mail, Telefon, Kundennummer',
  empty: 'Noch keine Fahrer.',
  field: {
    name: 'Name',
    email: 'E-Mail-Adresse',
    phone: 'Telefon',
    language: 'Sprache',
    languageHint: 'Für E-Mails und Belege, etwa nl oder de-AT. Leer: die Sprache des Netzes.',
    externalId: 'Kundennummer',
    externalIdHint: 'Nummer des Fahrers in Ihren eigenen Büchern.',
    created: 'Angelegt',
    id: 'Kennung des Fahrers kopieren',
  },
  networkLanguage: 'Wie das Netz',
  new: {
    open: 'Neuer Fahrer…',
    title: 'Neuer Fahrer',
    action: 'Fahrer anlegen',
    done: '{{name}} ist angelegt.',
  },
  edit: { open: 'Bearbeiten…', title: '{{name}} bearbeiten', done: '{{name}} ist gespeichert.' },
  exportData: 'Daten exportieren',
  remove: {
    open: 'Löschen…',
    title: 'Den Fahrer {{name}} löschen?',
    detail:
      'Name, E-Mail-Adresse, Telefon und Kundennummer werden gelöscht, Token werden endgültig ungültig, und Schlüssel des Fahrers werden widerrufen. Ladevorgänge und Zahlungen bleiben ohne personenbezogene Daten.',
    action: 'Fahrer löschen',
    done: 'Der Fahrer ist gelöscht.',
  },
  blocked: 'Gesperrt',
  block: {
    open: 'Sperren…',
    title: 'Den Fahrer {{name}} sperren?',
    detail:
      'Der Fahrer wird abgemeldet und kann sich nicht anmelden. Alle Token des Fahrers wirken ab ihrer nächsten Autorisierung nicht mehr, auch solche, die später hinzukommen. Laufende Ladevorgänge gehen weiter.',
    action: 'Fahrer sperren',
    done: '{{name}} ist gesperrt.',
  },
  unblock: { open: 'Entsperren', done: '{{name}} ist nicht mehr gesperrt.' },
  failed: 'Das ist fehlgeschlagen: {{message}}',
  statistics: {
    sessions: 'Ladevorgänge',
    running: 'Laufen gerade',
    energy: 'Energie',
    cost: 'Kosten bisher',
    last: 'Letzter Ladevorgang',
  },
  profile: 'Profil',
  charged: 'Bisher geladen',
  wallet: {
    title: 'Guthaben',
    open: 'Buchungen des Guthabens',
    none: 'Kein Guthaben: Die Ladevorgänge kommen auf Rechnung.',
    balance: 'Saldo',
    available: 'Verfügbar',
    held: 'Für Ladevorgänge reserviert',
    owed: 'Geschuldet',
  },
  tokens: {
    title: 'Token',
    none: 'Keine Token: Der Fahrer kann keinen Ladevorgang mit einer Karte starten.',
  },
  sessions: {
    title: 'Letzte Ladevorgänge',
    all: 'Alle Ladevorgänge des Fahrers',
    none: 'Noch keine Ladevorgänge.',
  },
};
