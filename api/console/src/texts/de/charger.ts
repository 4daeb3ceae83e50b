import type { Texts } from '../texts.ts';

export const charger: Texts['charger'] = {
  tabs: {
    label: 'Einzelheiten der Ladestation',
    history: 'Verlauf',
    log: 'Live-Protokoll',
    sessions: 'Ladevorgänge',
    commands: 'Befehle',
    configuration: 'Konfiguration',
    firmware: 'Firmware',
    certificates: 'Zertifikate',
    reservations: 'Reservierungen und Ladeprofile',
    localList: 'Lokale Liste',
    audit: 'Änderungsprotokoll',
  },
  header: {
    location: 'Standort',
    noLocation: 'Kein Standort',
    lastMessage: 'Letzte Nachricht',
    connectedSince: 'Verbunden',
    offlineSince: 'Offline',
    protocol: 'Protokoll',
    security: 'Sicherheit',
    profile: 'Profil {{profile}}',
    firmware: 'Firmware',
    serial: 'Seriennummer',
  },
  connector: {
    title: 'Anschluss {{number}}',
    recentPower: 'Leistung der letzten Minuten',
    noSession: 'Kein Ladevorgang',
    energy: 'Energie',
    soc: 'Ladestand',
    elapsed: 'Dauer',
    cost: 'Kosten bisher',
    token: 'Token',
  },
};
