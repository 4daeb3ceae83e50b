import type { Texts } from '../texts.ts';

export const auditLog: Texts['auditLog'] = {
  title: 'Auditlog',
  filters: 'Filters',
  any: 'Alle',
  category: 'Categorie',
  actor: 'Operator of API-sleutel',
  object: 'Object',
  objectHint: 'Identificatie',
  clear: 'Filters wissen',
  export: 'Exporteren',
  csv: 'CSV (spreadsheet)',
  ndjson: 'NDJSON (logverzamelaar)',
  empty: 'Nog niemand heeft iets gewijzigd.',
  onlyActor: 'Alleen deze actor',
  onlyObject: 'Alleen dit object',
};
