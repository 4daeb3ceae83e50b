import type { Texts } from '../texts.ts';

export const signIn: Texts['signIn'] = {
  title: 'Anmelden',
  email: 'E-Mail',
  password: 'Passwort',
  apiKey: 'API-Schlüssel',
  apiKeyHint: 'Der Schlüssel wird gegen eine Sitzung dieses Browsers getauscht und nicht gespeichert.',
  signIn: 'Anmelden',
  sending: 'Meldet an…',
  withKey: 'Mit API-Schlüssel anmelden',
  withPassword: 'Mit E-Mail und Passwort anmelden',
  withProvider: 'Mit {{name}} anmelden',
  openAt: 'Für die Anmeldung mit {{name}} öffnen Sie die Konsole unter',
  oidcFailed:
    'Die Anmeldung beim Identitätsanbieter schlug fehl ({{code}}). Versuchen Sie es erneut oder fragen Sie die Administration.',
};
