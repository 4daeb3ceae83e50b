import type { Texts } from '../texts.ts';

export const reservations: Texts['reservations'] = {
  title: 'Réservations',
  empty: 'Aucune réservation.',
  anyStatus: 'Tous les états',
  anyConnector: 'N’importe quel connecteur',
  cancelled: 'La borne a annulé la réservation.',
  status: {
    Active: 'Active',
    Used: 'Utilisée',
    Cancelled: 'Annulée',
    Expired: 'Expirée',
    Removed: 'Retirée',
  },
  columns: {
    number: 'Numéro',
    connector: 'Connecteur',
    token: 'Badge',
    group: 'Groupe',
    status: 'État',
    expires: 'Expire',
    created: 'Créée',
    actions: 'Actions',
  },
  new: {
    open: 'Réserver…',
    title: 'Réserver un connecteur de {{charger}}',
    group: 'Groupe (facultatif)',
    action: 'Réserver',
    sending: 'Envoi…',
    done: 'La réservation {{number}} est active.',
  },
  cancel: {
    open: 'Annuler…',
    title: 'Annuler la réservation {{number}}',
    detail: 'Tout badge pourra alors charger sur le connecteur de {{charger}} réservé par {{token}}.',
    action: 'Annuler la réservation',
  },
};
