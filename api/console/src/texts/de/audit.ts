import type { Texts } from '../texts.ts';

export const audit: Texts['audit'] = {
  label: 'Audit-Protokoll der Ladestation',
  empty: 'Noch hat niemand diese Ladestation geändert oder gesteuert.',
  itself: 'chargeway selbst',
  details: 'Details',
  copyJson: 'JSON kopieren',
  category: {
    label: 'Art des Eintrags',
    all: 'Änderungen und Befehle',
    charger: 'Änderungen',
    command: 'Befehle',
  },
  column: {
    time: 'Zeit',
    action: 'Aktion',
    actor: 'Durch',
    description: 'Beschreibung',
    object: 'Objekt',
    ip: 'IP-Adresse',
    field: 'Feld',
    before: 'Vorher',
    after: 'Nachher',
  },
};
