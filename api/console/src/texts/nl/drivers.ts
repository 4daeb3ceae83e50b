import type { Texts } from '../texts.ts';

export const drivers: Texts['drivers'] = {
  title: 'Rijders',
  searchHint: 'Naam, e-mail, telefoon, klantnummer',
  empty: 'Nog geen rijders.',
  field: {
    name: 'Naam',
    email: 'E-mailadres',
    phone: 'Telefoon',
    language: 'Taal',
    languageHint: 'Van e-mails en bonnen, zoals nl of de-AT. Leeg: de taal van het netwerk.',
    externalId: 'Klantnummer',
    externalIdHint: 'Nummer van de rijder in uw eigen administratie.',
    created: 'Aangemaakt',
    id: 'Id van de rijder kopiëren',
  },
  networkLanguage: 'Zoals het netwerk',
  new: {
    open: 'Nieuwe rijder…',
    title: 'Nieuwe rijder',
    action: 'Rijder aanmaken',
    done: '{{name}} is aangemaakt.',
  },
  edit: { open: 'Bewerken…', title: '{{name}} bewerken', done: '{{name}} is opgeslagen.' },
  exportData: 'Gegevens exporteren',
  remove: {
    open: 'Verwijderen…',
    title: 'De rijder {{name}} verwijderen?',
    detail:
      'Naam, e-mailadres, telefoon en klantnummer worden gewist, laadpassen worden voorgoed ongeldig en sleutels van de rijder worden ingetrokken. Laadsessies en betalingen blijven zonder persoonsgegevens.',
    action: 'Rijder verwijderen',
    done: 'De rijder is verwijderd.',
  },
  block: {
    open: 'Alle laadpassen blokkeren…',
    title: 'Alle laadpassen van {{name}} blokkeren?',
    detail_one:
      '{{count}} laadpas werkt niet meer vanaf de volgende autorisatie. Een lopende laadsessie gaat door. De pas kan weer worden vrijgegeven.',
    detail_other:
      '{{count}} laadpassen werken niet meer vanaf de volgende autorisatie. Lopende laadsessies gaan door. De passen kunnen weer worden vrijgegeven.',
    action: 'Laadpassen blokkeren',
    done_one: '{{count}} laadpas is geblokkeerd.',
    done_other: '{{count}} laadpassen zijn geblokkeerd.',
  },
  failed: 'Dat is mislukt: {{message}}',
  statistics: {
    sessions: 'Laadsessies',
    running: 'Nu bezig',
    energy: 'Energie',
    cost: 'Kosten tot nu toe',
    last: 'Laatste laadsessie',
  },
  profile: 'Profiel',
  charged: 'Tot nu toe geladen',
  wallet: {
    title: 'Tegoed',
    open: 'Mutaties van het tegoed',
    none: 'Geen tegoed: de laadsessies worden gefactureerd.',
    balance: 'Saldo',
    available: 'Beschikbaar',
    held: 'Gereserveerd voor laadsessies',
    owed: 'Verschuldigd',
  },
  tokens: {
    title: 'Laadpassen',
    none: 'Geen laadpassen: de rijder kan geen laadsessie met een pas starten.',
  },
  sessions: {
    title: 'Laatste laadsessies',
    all: 'Alle laadsessies van de rijder',
    none: 'Nog geen laadsessies.',
  },
};
