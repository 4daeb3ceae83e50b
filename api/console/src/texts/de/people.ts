import type { Texts } from '../texts.ts';

export const people: Texts['people'] = {
  network: 'Netz',
  any: 'Alle',
  filters: 'Filter',
  search: 'Suche',
  actions: 'Aktionen',
  role: { Owner: 'Inhaber', Admin: 'Administrator', Manager: 'Verwalter', Viewer: 'Betrachter' },
  problem: {
    SCOPE_MISSING: 'Ihre Rolle erlaubt das nicht.',
    ROLE_NOT_ALLOWED:
      'Sie können nur Rollen bis zu Ihrer eigenen vergeben oder ändern, mit Rechten, die Sie selbst haben.',
    NETWORK_NOT_ALLOWED: 'Sie können nur Netze vergeben, auf die Sie selbst Zugriff haben.',
    KEY_LIMIT_EXCEEDED:
      'Sie sind mit einem beschränkten Schlüssel angemeldet. Ein Konto hätte diese Schranke nicht.',
    LAST_OWNER: 'Jedes Netz behält mindestens einen Inhaber. Fügen Sie zuerst einen weiteren hinzu.',
    OPERATOR_EXTERNAL: 'Ein Identitätsanbieter verwaltet dieses Konto. Hier lässt es sich nur sperren.',
    OPERATOR_EXISTS: 'Es gibt bereits ein Konto mit dieser E-Mail-Adresse.',
    USER_EXISTS: 'Das Netz hat bereits einen Fahrer mit dieser E-Mail-Adresse.',
    USER_IN_USE: 'Der Fahrer lädt gerade, oder das Guthaben ist nicht ausgeglichen.',
    USER_NOT_FOUND: 'Diesen Fahrer gibt es im Netz des Tokens nicht.',
    ID_TOKEN_EXISTS: 'Das Netz hat bereits einen Token mit dieser UID.',
    PRECONDITION_FAILED:
      'Jemand hat es inzwischen geändert. Schließen Sie das Fenster, sehen Sie nach und wiederholen Sie die Änderung.',
  },
};
