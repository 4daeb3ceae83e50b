/** State of a log-in with the right password that needs a second factor. */
export type LoginChallengeState = 'waiting' | 'passed' | 'failed';

type Answer = 'right' | 'wrong' | 'wrong-too-often';

/** Next state for each answer. A challenge that passed or failed accepts none. */
const transitions: Record<LoginChallengeState, Partial<Record<Answer, LoginChallengeState>>> = {
  waiting: { right: 'passed', wrong: 'waiting', 'wrong-too-often': 'failed' },
  passed: {},
  failed: {},
};

/** Wrong answers that end a challenge. */
export const maxWrongAnswers = 5;

/** Validity of a challenge. */
export const loginChallengeMs = 10 * 60_000;

/** Returns the state of a challenge after an answer. @throws {Error} for a challenge that accepts none. */
export function stateAfter(
  state: LoginChallengeState,
  isRight: boolean,
  wrongAnswersBefore: number,
): LoginChallengeState {
  const wrong = wrongAnswersBefore + 1 < maxWrongAnswers ? 'wrong' : 'wrong-too-often';
  const next = transitions[state][isRight ? 'right' : wrong];
  if (next === undefined) throw new Error(`a challenge that ${state} accepts no answer`);
  return next;
}
