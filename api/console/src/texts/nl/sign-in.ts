import type { Texts } from '../texts.ts';

export const signIn: Texts['signIn'] = {
  title: 'Aanmelden',
  email: 'E-mail',
  password: 'Wachtwoord',
  apiKey: 'API-sleutel',
  apiKeyHint: 'De sleutel wordt ingeruild voor een sessie van deze browser en niet bewaard.',
  signIn: 'Aanmelden',
  sending: 'Bezig met aanmelden…',
  withKey: 'Met een API-sleutel aanmelden',
  withPassword: 'Met e-mail en wachtwoord aanmelden',
  withProvider: 'Aanmelden met {{name}}',
  openAt: 'Open voor aanmelden met {{name}} de console op',
  oidcFailed:
    'Aanmelden bij de identiteitsprovider is mislukt ({{code}}). Probeer het opnieuw of vraag een beheerder.',
};
