import type { Texts } from '../texts.ts';

export const audit: Texts['audit'] = {
  label: 'Journal d’audit de la borne',
  empty: 'Personne n’a encore modifié ni commandé cette borne.',
  itself: 'chargeway lui-même',
  details: 'Détails',
  copyJson: 'Copier le JSON',
  category: {
    label: 'Type d’entrée',
    all: 'Modifications et commandes',
    charger: 'Modifications',
    command: 'Commandes',
  },
  column: {
    time: 'Heure',
    action: 'Action',
    actor: 'Par',
    description: 'Description',
    object: 'Objet',
    ip: 'Adresse IP',
    field: 'Champ',
    before: 'Avant',
    after: 'Après',
  },
};
