import type { Texts } from '../texts.ts';

export const localList: Texts['localList'] = {
  title: 'Lokale autorisatielijst',
  version: 'Versie',
  sentAt: 'Verzonden',
  entries: 'Tokens',
  token: 'Token',
  stateSent: 'Stand verzonden',
  neverSent: 'Er is geen lijst naar deze laadpaal gestuurd.',
  empty: 'De lijst is leeg.',
  push: {
    open: 'Lijst versturen…',
    title: 'Lokale lijst naar {{charger}} versturen',
    detail:
      'De lijst van de laadpaal wordt vervangen door alle tokens van het netwerk die in lijsten zijn toegestaan.',
    action: 'Lijst versturen',
    sending: 'Verzenden…',
    done: 'De laadpaal heeft de lijst geaccepteerd.',
  },
  clear: {
    open: 'Lijst leegmaken…',
    title: 'Lokale lijst van {{charger}} leegmaken',
    detail: 'De laadpaal accepteert dan offline geen enkele token.',
    action: 'Lijst leegmaken',
  },
};
