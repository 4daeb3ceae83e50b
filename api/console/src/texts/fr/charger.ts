import type { Texts } from '../texts.ts';

export const charger: Texts['charger'] = {
  tabs: {
    label: 'Détails de la borne',
    history: 'Historique',
    log: 'Journal en direct',
    sessions: 'Sessions',
    commands: 'Commandes',
    configuration: 'Configuration',
    firmware: 'Micrologiciel',
    certificates: 'Certificats',
    reservations: 'Réservations et profils',
    localList: 'Liste locale',
    audit: 'Journal d’audit',
  },
  header: {
    location: 'Site',
    noLocation: 'Aucun site',
    lastMessage: 'Dernier message',
    connectedSince: 'Connectée',
    offlineSince: 'Hors ligne',
    protocol: 'Protocole',
    security: 'Sécurité',
    profile: 'Profil {{profile}}',
    firmware: 'Micrologiciel',
    serial: 'Numéro de série',
  },
  connector: {
    title: 'Connecteur {{number}}',
    recentPower: 'Puissance des dernières minutes',
    noSession: 'Aucune session',
    energy: 'Énergie',
    soc: 'Niveau de charge',
    elapsed: 'Durée',
    cost: 'Coût actuel',
    token: 'Badge',
  },
};
