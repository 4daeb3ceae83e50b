import type { Texts } from '../texts.ts';

export const deviceEvents: Texts['deviceEvents'] = {
  security: 'Événements de sécurité',
  device: 'Événements de l’équipement',
  empty: 'Aucun événement n’a été signalé.',
  cleared: 'Résolu',
  columns: {
    time: 'Heure',
    received: 'Reçu',
    type: 'Type',
    details: 'Détails',
    component: 'Composant',
    variable: 'Variable',
    value: 'Valeur',
    trigger: 'Déclencheur',
    cleared: 'État',
  },
};
