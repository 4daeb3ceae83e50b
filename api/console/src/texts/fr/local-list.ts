import type { Texts } from '../texts.ts';

export const localList: Texts['localList'] = {
  title: 'Liste d’autorisation locale',
  version: 'Version',
  sentAt: 'Envoyée',
  entries: 'Badges',
  token: 'Badge',
  stateSent: 'État envoyé',
  neverSent: 'Aucune liste n’a été envoyée à cette borne.',
  empty: 'La liste est vide.',
  push: {
    open: 'Envoyer la liste…',
    title: 'Envoyer la liste locale à {{charger}}',
    detail: 'La liste de la borne est remplacée par tous les badges du réseau autorisés dans les listes.',
    action: 'Envoyer la liste',
    sending: 'Envoi…',
    done: 'La borne a accepté la liste.',
  },
  clear: {
    open: 'Vider la liste…',
    title: 'Vider la liste locale de {{charger}}',
    detail: 'La borne n’acceptera alors aucun badge hors ligne.',
    action: 'Vider la liste',
  },
};
