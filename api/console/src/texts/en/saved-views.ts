export const savedViews = {
  title: 'Views',
  shared: '{{name}} (by {{owner}})',
  save: 'Save this view…',
  manage: 'Remove views…',
  remove: 'Remove {{name}}',
  removeTitle: 'Remove the view “{{name}}”?',
  removeAction: 'Remove the view',
  removeOwn: 'Its filters and order are lost. The listed objects stay.',
  removeShared: 'It disappears for everyone with whom it is shared.',
  name: 'Name',
} as const;
