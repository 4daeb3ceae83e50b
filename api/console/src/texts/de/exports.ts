import type { Texts } from '../texts.ts';

export const exports: Texts['exports'] = {
  title: 'Exporte',
  new: 'Neuer Export…',
  none: 'Noch keine Exporte.',
  noneHint:
    'Ein Export schreibt Ladevorgänge, CDRs oder Messwerte in Dateien für ein Data-Warehouse oder eine Tabelle.',
  anyState: 'Jeder Status',
  dataset: {
    sessions: 'Ladevorgänge',
    cdrs: 'Ladedatensätze (CDRs)',
    'meter-values': 'Messwerte',
  },
  format: {
    parquet: 'Parquet',
    csv: 'CSV',
  },
  by: {
    occurred: 'Zeit des Geschehens',
    updated: 'Zeit der letzten Änderung',
  },
  state: {
    QUEUED: 'Wartet',
    RUNNING: 'Läuft',
    COMPLETED: 'Abgeschlossen',
    FAILED: 'Fehlgeschlagen',
    EXPIRED: 'Abgelaufen',
  },
  columns: {
    dataset: 'Daten',
    format: 'Format',
    range: 'Zeitraum',
    by: 'Auswahl nach',
    state: 'Status',
    progress: 'Teile',
    rows: 'Zeilen',
    size: 'Größe',
    createdBy: 'Erstellt von',
    created: 'Erstellt',
  },
  progress: '{{stored}} von {{total}}',
  range: '{{from}} – {{to}}',
  details: 'Export: {{dataset}}',
  parts: 'Teile zum Herunterladen',
  noParts: 'Noch ist kein Teil gespeichert.',
  download: 'Teil {{number}} herunterladen',
  expires: 'Dateien werden entfernt',
  dialog: {
    title: 'Neuer Export',
    from: 'Von',
    to: 'Bis (leer: jetzt)',
    create: 'Dateien erstellen',
    direct: 'Sofort herunterladen',
    directHint:
      'Sofort: eine Datei über höchstens {{days}} Tage. Für mehr Dateien erstellen: jeder Teil lässt sich erneut laden.',
    created: 'Der Export wartet auf seine Ausführung.',
  },
  remove: {
    open: 'Löschen…',
    title: 'Export „{{dataset}}“, {{range}} löschen?',
    detail: 'Seine Dateien werden entfernt. Ein laufender Export wird abgebrochen.',
    action: 'Export löschen',
    done: 'Der Export ist gelöscht.',
  },
};
