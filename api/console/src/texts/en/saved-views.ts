export const savedViews = {
  title: 'Views',
  shared: '{{name}} (by {{owner}})',
  save: 'Save this view…',
  manage: 'Remove views…',
  remove: 'Remove {{name}}',
  name: 'Name',
} as const;
