import type { Texts } from '../texts.ts';

export const exports: Texts['exports'] = {
  title: 'Exports',
  new: 'Nieuwe export…',
  none: 'Nog geen exports.',
  noneHint:
    'Een export schrijft laadsessies, CDR’s of meterwaarden naar bestanden voor een datawarehouse of spreadsheet.',
  anyState: 'Elke status',
  dataset: {
    sessions: 'Laadsessies',
    cdrs: 'Laadregistraties (CDR’s)',
    'meter-values': 'Meterwaarden',
  },
  format: {
    parquet: 'Parquet',
    csv: 'CSV',
  },
  by: {
    occurred: 'Tijd van gebeuren',
    updated: 'Tijd van de laatste wijziging',
  },
  state: {
    QUEUED: 'In de wachtrij',
    RUNNING: 'Bezig',
    COMPLETED: 'Voltooid',
    FAILED: 'Mislukt',
    EXPIRED: 'Verlopen',
  },
  columns: {
    dataset: 'Gegevens',
    format: 'Formaat',
    range: 'Periode',
    by: 'Selectie op',
    state: 'Status',
    progress: 'Delen',
    rows: 'Rijen',
    size: 'Grootte',
    createdBy: 'Gemaakt door',
    created: 'Gemaakt',
  },
  progress: '{{stored}} van {{total}}',
  range: '{{from}} – {{to}}',
  details: 'Export: {{dataset}}',
  parts: 'Delen om te downloaden',
  noParts: 'Er is nog geen deel opgeslagen.',
  download: 'Deel {{number}} downloaden',
  expires: 'Bestanden worden verwijderd',
  dialog: {
    title: 'Nieuwe export',
    from: 'Van',
    to: 'Tot (leeg: nu)',
    create: 'Bestanden maken',
    direct: 'Direct downloaden',
    directHint:
      'Direct: één bestand van hoogstens {{days}} dagen. Maak voor meer bestanden: elk deel is opnieuw te downloaden.',
    created: 'De export staat in de wachtrij.',
  },
  remove: {
    open: 'Verwijderen…',
    title: 'Export ‘{{dataset}}’, {{range}} verwijderen?',
    detail: 'De bestanden worden verwijderd. Een lopende export wordt afgebroken.',
    action: 'Export verwijderen',
    done: 'De export is verwijderd.',
  },
};
