import type { Texts } from '../texts.ts';

export const savedViews: Texts['savedViews'] = {
  title: 'Ansichten',
  shared: '{{name}} (von {{owner}})',
  save: 'Diese Ansicht speichern…',
  manage: 'Ansichten entfernen…',
  remove: '{{name}} entfernen',
  removeTitle: 'Ansicht „{{name}}“ entfernen?',
  removeAction: 'Ansicht entfernen',
  removeOwn: 'Ihre Filter und ihre Sortierung gehen verloren. Die gelisteten Objekte bleiben.',
  removeShared: 'Sie verschwindet für alle, mit denen sie geteilt ist.',
  name: 'Name',
};
