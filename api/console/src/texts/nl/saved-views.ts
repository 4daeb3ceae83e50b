import type { Texts } from '../texts.ts';

export const savedViews: Texts['savedViews'] = {
  title: 'Weergaven',
  shared: '{{name}} (van {{owner}})',
  save: 'Deze weergave opslaan…',
  manage: 'Weergaven verwijderen…',
  remove: '{{name}} verwijderen',
  name: 'Naam',
};
