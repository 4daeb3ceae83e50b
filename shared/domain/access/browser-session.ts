/** Ways to sign in from a browser. */
export const signInMethods = ['password', 'apiKey', 'oidc'] as const;
export type SignInMethod = (typeof signInMethods)[number];

/** Time in seconds without a request after which a session of a browser ends. */
export const idleSeconds = 12 * 3600;

/** Interval in seconds at which the last use of a session is written. */
export const useIntervalSeconds = 60;

/**
 * Maximum length of a session in ms, by the way of the sign-in. An external issuer decides on its operators and reports no change
 * of them, so it is asked again after a working day.
 */
export const sessionMs: Record<SignInMethod, number> = {
  password: 30 * 24 * 3_600_000,
  apiKey: 30 * 24 * 3_600_000,
  oidc: 12 * 3_600_000,
};
