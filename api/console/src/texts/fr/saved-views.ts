import type { Texts } from '../texts.ts';

export const savedViews: Texts['savedViews'] = {
  title: 'Vues',
  shared: '{{name}} (de {{owner}})',
  save: 'Enregistrer cette vue…',
  manage: 'Supprimer des vues…',
  remove: 'Supprimer {{name}}',
  name: 'Nom',
};
