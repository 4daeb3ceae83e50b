import type { Texts } from '../texts.ts';

export const charger: Texts['charger'] = {
  tabs: { label: 'Einzelheiten der Ladestation' },
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
