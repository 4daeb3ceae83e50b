import type { Texts } from '../texts.ts';

export const chargers: Texts['chargers'] = {
  title: 'Bornes',
  states: 'Filtrer par état',
  filters: 'Filtres',
  all: 'Toutes',
  any: 'Tous',
  search: 'Recherche',
  searchHint: 'Borne, numéro de série, EVSE, site…',
  connection: 'Connexion',
  online: { online: 'En ligne', offline: 'Hors ligne' },
  withAlert: 'Avec une alerte ouverte',
  empty: 'Aucune borne pour l’instant.',
  column: {
    uid: 'Borne',
    state: 'État',
    location: 'Site',
    model: 'Modèle',
    firmware: 'Micrologiciel',
    version: 'OCPP',
    power: 'Puissance',
    sessions: 'Sessions',
    alerts: 'Alertes',
    lastSeen: 'Dernier message',
    serial: 'Numéro de série',
    status: 'Statut OCPP',
  },
};
