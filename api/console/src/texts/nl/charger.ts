import type { Texts } from '../texts.ts';

export const charger: Texts['charger'] = {
  tabs: {
    label: 'Details van de laadpaal',
    history: 'Verloop',
    log: 'Live-logboek',
    sessions: 'Laadsessies',
    commands: 'Opdrachten',
    configuration: 'Configuratie',
    firmware: 'Firmware',
    certificates: 'Certificaten',
    reservations: 'Reserveringen en laadprofielen',
    localList: 'Lokale lijst',
    audit: 'Auditlogboek',
  },
  header: {
    location: 'Locatie',
    noLocation: 'Geen locatie',
    lastMessage: 'Laatste bericht',
    connectedSince: 'Verbonden',
    offlineSince: 'Offline',
    protocol: 'Protocol',
    security: 'Beveiliging',
    profile: 'Profiel {{profile}}',
    firmware: 'Firmware',
    serial: 'Serienummer',
  },
  connector: {
    title: 'Connector {{number}}',
    recentPower: 'Vermogen van de laatste minuten',
    noSession: 'Geen laadsessie',
    energy: 'Energie',
    soc: 'Laadniveau',
    elapsed: 'Duur',
    cost: 'Kosten tot nu',
    token: 'Token',
  },
};
