import type { Texts } from '../texts.ts';

export const auditLog: Texts['auditLog'] = {
  title: 'Journal d’audit',
  filters: 'Filtres',
  any: 'Tous',
  category: 'Catégorie',
  actor: 'Opérateur ou clé d’API',
  object: 'Objet',
  objectHint: 'Identifiant',
  clear: 'Effacer les filtres',
  export: 'Exporter',
  csv: 'CSV (tableur)',
  ndjson: 'NDJSON (collecteur de journaux)',
  empty: 'Personne n’a encore rien modifié.',
  onlyActor: 'Cet auteur seulement',
  onlyObject: 'Cet objet seulement',
};
