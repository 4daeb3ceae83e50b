import type { Texts } from '../texts.ts';

export const people: Texts['people'] = {
  network: 'Netwerk',
  any: 'Alle',
  filters: 'Filters',
  search: 'Zoeken',
  actions: 'Acties',
  role: { Owner: 'Eigenaar', Admin: 'Administrator', Manager: 'Manager', Viewer: 'Lezer' },
  problem: {
    SCOPE_MISSING: 'Uw rol staat dit niet toe.',
    ROLE_NOT_ALLOWED:
      'U kunt alleen rollen tot en met uw eigen rol toekennen of wijzigen, met rechten die u zelf hebt.',
    NETWORK_NOT_ALLOWED: 'U kunt alleen netwerken toekennen waartoe u zelf toegang hebt.',
    KEY_LIMIT_EXCEEDED: 'U bent aangemeld met een beperkte sleutel. Een account zou die grens niet hebben.',
    LAST_OWNER: 'Elk netwerk houdt minstens één eigenaar. Voeg eerst een andere toe.',
    OPERATOR_EXTERNAL:
      'Een identiteitsprovider beheert dit account. Hier kan het alleen worden uitgeschakeld.',
    OPERATOR_EXISTS: 'Er is al een account met dit e-mailadres.',
    USER_EXISTS: 'Het netwerk heeft al een rijder met dit e-mailadres.',
    USER_IN_USE: 'De rijder is aan het laden, of het tegoed is niet vereffend.',
    USER_NOT_FOUND: 'Deze rijder bestaat niet in het netwerk van de laadpas.',
    ID_TOKEN_EXISTS: 'Het netwerk heeft al een laadpas met deze UID.',
    PRECONDITION_FAILED:
      'Iemand heeft het intussen gewijzigd. Sluit dit venster, bekijk het opnieuw en herhaal de wijziging.',
  },
};
