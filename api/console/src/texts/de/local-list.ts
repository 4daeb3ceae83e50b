import type { Texts } from '../texts.ts';

export const localList: Texts['localList'] = {
  title: 'Lokale Autorisierungsliste',
  version: 'Version',
  sentAt: 'Gesendet',
  entries: 'Token',
  token: 'Token',
  stateSent: 'Stand gesendet',
  neverSent: 'An diese Ladestation wurde keine Liste gesendet.',
  empty: 'Die Liste ist leer.',
  push: {
    open: 'Liste senden…',
    title: 'Lokale Liste an {{charger}} senden',
    detail: 'Die Liste der Ladestation wird durch alle Token des Netzes ersetzt, die in Listen erlaubt sind.',
    action: 'Liste senden',
    sending: 'Sendet…',
    done: 'Die Ladestation hat die Liste angenommen.',
  },
  clear: {
    open: 'Liste leeren…',
    title: 'Lokale Liste von {{charger}} leeren',
    detail: 'Die Ladestation nimmt dann offline keinen Token mehr an.',
    action: 'Liste leeren',
  },
};
