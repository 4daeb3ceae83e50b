/** States of the registration of a partner. Suspension is independent of them. */
export const registrationStates = [
  /** No token on either side. */
  'NONE',
  /** The partner holds our registration token and begins. */
  'INVITED',
  /** We hold the partner's versions URL and token and begin. */
  'PREPARED',
  /** Our credentials were sent, and no usable answer is known. */
  'EXCHANGING',
  /** The partner accepted; its credentials cannot be stored yet. */
  'ANSWERED',
  'REGISTERED',
  /** A new token of ours was sent, and no usable answer is known. The former one is valid too. */
  'RENEWING',
] as const;
export type RegistrationState = (typeof registrationStates)[number];

/** Events that move a registration from one state to another. */
interface Transition {
  from: readonly RegistrationState[];
  to: RegistrationState;
}

const open = ['NONE', 'INVITED', 'PREPARED', 'EXCHANGING', 'ANSWERED'] as const;

/** All transitions of a registration. An event in any other state is refused. */
export const registrationTransitions = {
  /** An operator creates a registration token. */
  invite: { from: registrationStates, to: 'INVITED' },
  /** An operator enters the partner's versions URL and token. */
  prepare: { from: open, to: 'PREPARED' },
  /** We are about to send our credentials for the first time, or again. */
  send: { from: ['PREPARED', 'EXCHANGING'], to: 'EXCHANGING' },
  /** The partner answered with its credentials. */
  answer: { from: ['EXCHANGING'], to: 'ANSWERED' },
  /** We are about to send a new token to a registered partner. */
  renew: { from: ['REGISTERED', 'RENEWING'], to: 'RENEWING' },
  /** The credentials of both sides are stored, regardless of which side began. */
  complete: { from: ['INVITED', 'EXCHANGING', 'ANSWERED', 'REGISTERED', 'RENEWING'], to: 'REGISTERED' },
  /** Either side ends the registration. */
  end: { from: registrationStates, to: 'NONE' },
} as const satisfies Record<string, Transition>;
export type RegistrationEvent = keyof typeof registrationTransitions;

/** Returns the state after an event. Null: the event is not possible in this state. */
export function stateAfter(state: RegistrationState, event: RegistrationEvent): RegistrationState | null {
  const { from, to }: Transition = registrationTransitions[event];
  return from.includes(state) ? to : null;
}

/** Steps of a handshake that we begin, in order. */
export const handshakeSteps = ['versions', 'details', 'credentials', 'registration'] as const;
export type HandshakeStep = (typeof handshakeSteps)[number];
