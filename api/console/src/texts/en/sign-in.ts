export const signIn = {
  title: 'Sign in',
  email: 'E-mail',
  password: 'Password',
  apiKey: 'API key',
  apiKeyHint: 'The key is exchanged for a session of this browser and not kept.',
  signIn: 'Sign in',
  sending: 'Signing in…',
  withKey: 'Use an API key',
  withPassword: 'Use e-mail and password',
  withProvider: 'Sign in with {{name}}',
  openAt: 'To sign in with {{name}}, open the console at',
  oidcFailed: 'The identity provider’s sign-in failed ({{code}}). Try again, or ask an administrator.',
} as const;
