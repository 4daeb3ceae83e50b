import type { Texts } from '../texts.ts';

export const savedViews: Texts['savedViews'] = {
  title: 'Ansichten',
  shared: '{{name}} (von {{owner}})',
  save: 'Diese Ansicht speichern…',
  manage: 'Ansichten entfernen…',
  remove: '{{name}} entfernen',
  name: 'Name',
};
