import type { Texts } from '../texts.ts';

export const savedViews: Texts['savedViews'] = {
  title: 'Vues',
  shared: '{{name}} (de {{owner}})',
  save: 'Enregistrer cette vue…',
  manage: 'Supprimer des vues…',
  remove: 'Supprimer {{name}}',
  removeTitle: 'Supprimer la vue « {{name}} » ?',
  removeAction: 'Supprimer la vue',
  removeOwn: 'Ses filtres et son tri sont perdus. Les objets listés restent.',
  removeShared: 'Elle disparaît pour toutes les personnes avec qui elle est partagée.',
  name: 'Nom',
};
