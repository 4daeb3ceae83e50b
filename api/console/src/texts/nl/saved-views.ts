import type { Texts } from '../texts.ts';

export const savedViews: Texts['savedViews'] = {
  title: 'Weergaven',
  shared: '{{name}} (van {{owner}})',
  save: 'Deze weergave opslaan…',
  manage: 'Weergaven verwijderen…',
  remove: '{{name}} verwijderen',
  removeTitle: 'De weergave ‘{{name}}’ verwijderen?',
  removeAction: 'Weergave verwijderen',
  removeOwn: 'De filters en de volgorde gaan verloren. De objecten zelf blijven.',
  removeShared: 'Ze verdwijnt voor iedereen met wie ze gedeeld is.',
  name: 'Naam',
};
