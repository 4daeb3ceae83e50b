import type { Texts } from '../texts.ts';

export const auditLog: Texts['auditLog'] = {
  title: 'Änderungsprotokoll',
  filters: 'Filter',
  any: 'Alle',
  category: 'Kategorie',
  actor: 'Operator oder API-Schlüssel',
  object: 'Objekt',
  objectHint: 'Kennung',
  clear: 'Filter löschen',
  export: 'Exportieren',
  csv: 'CSV (Tabelle)',
  ndjson: 'NDJSON (Log-System)',
  empty: 'Bisher hat niemand etwas geändert.',
  onlyActor: 'Nur dieser Urheber',
  onlyObject: 'Nur dieses Objekt',
};
