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
  blocked: 'Geblokkeerd',
  block: {
    open: 'Blokkeren…',
    title: 'De rijder {{name}} blokkeren?',
    detail:
      'De rijder wordt afgemeld en kan zich niet aanmelden. Alle laadpassen van de rijder werken niet meer vanaf de volgende autorisatie, ook passen die later worden toegevoegd. Lopende laadsessies gaan door.',
    action: 'Rijder blokkeren',
    done: '{{name}} is geblokkeerd.',
  },
  unblock: { open: 'Vrijgeven', done: '{{name}} is niet meer geblokkeerd.' },
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
