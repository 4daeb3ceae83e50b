import type { Texts } from '../texts.ts';

export const chargerForm: Texts['chargerForm'] = {
  location: 'Standort',
  noLocation: 'Keiner',
  model: 'Modell',
  noModel: 'Unbekannt',
  edit: {
    open: 'Bearbeiten…',
    title: '{{charger}} bearbeiten',
    reference: 'Aufdruck auf der Ladestation',
    floor: 'Stockwerk',
    isPublic: 'Für Fahrer sichtbar, an einem veröffentlichten Standort',
    profile: 'Sicherheitsprofil',
    profileHint: 'Gilt ab der nächsten Verbindung',
    profiles: {
      none: '0: keines',
      password: '1: Passwort über ws',
      tls: '2: Passwort über wss',
      certificate: '3: Client-Zertifikat über wss',
    },
    commonName: 'Common Name des Zertifikats',
    commonNameHint: 'Leer: die OCPP-Identität',
    done: '{{charger}} ist geändert.',
  },
  remove: {
    open: 'Außer Betrieb nehmen…',
    title: '{{charger}} außer Betrieb nehmen?',
    text: 'Ihre Verbindung wird getrennt, neue werden abgelehnt. Ihre Ladepunkte und Tarifzuordnungen enden. Ladevorgänge bleiben.',
    action: 'Außer Betrieb nehmen',
    done: '{{charger}} ist außer Betrieb genommen.',
  },
};
