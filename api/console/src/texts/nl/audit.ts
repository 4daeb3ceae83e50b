import type { Texts } from '../texts.ts';

export const audit: Texts['audit'] = {
  label: 'Auditlogboek van de laadpaal',
  empty: 'Nog niemand heeft deze laadpaal gewijzigd of aangestuurd.',
  itself: 'chargeway zelf',
  details: 'Details',
  copyJson: 'JSON kopiëren',
  category: {
    label: 'Soort vermelding',
    all: 'Wijzigingen en opdrachten',
    charger: 'Wijzigingen',
    command: 'Opdrachten',
  },
  column: {
    time: 'Tijd',
    action: 'Actie',
    actor: 'Door',
    description: 'Omschrijving',
    object: 'Object',
    ip: 'IP-adres',
    field: 'Veld',
    before: 'Voor',
    after: 'Na',
  },
};
