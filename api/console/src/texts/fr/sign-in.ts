import type { Texts } from '../texts.ts';

export const signIn: Texts['signIn'] = {
  title: 'Se connecter',
  email: 'E-mail',
  password: 'Mot de passe',
  apiKey: 'Clé d’API',
  apiKeyHint: 'La clé est échangée contre une session de ce navigateur et n’est pas conservée.',
  signIn: 'Se connecter',
  sending: 'Connexion…',
  withKey: 'Utiliser une clé d’API',
  withPassword: 'Utiliser l’e-mail et le mot de passe',
  withProvider: 'Se connecter avec {{name}}',
  openAt: 'Pour vous connecter avec {{name}}, ouvrez la console à l’adresse',
  oidcFailed:
    'La connexion auprès du fournisseur d’identité a échoué ({{code}}). Réessayez ou demandez à un administrateur.',
};
