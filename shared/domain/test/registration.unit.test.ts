import t from 'tap';
import {
  type RegistrationEvent,
  type RegistrationState,
  registrationStates,
  stateAfter,
} from '#shared/domain/roaming/registration.ts';

const rows: [event: RegistrationEvent, refused: RegistrationState[], to: RegistrationState][] = [
  ['invite', [], 'INVITED'],
  ['prepare', ['REGISTERED', 'RENEWING'], 'PREPARED'],
  ['send', ['NONE', 'INVITED', 'ANSWERED', 'REGISTERED', 'RENEWING'], 'EXCHANGING'],
  ['answer', ['NONE', 'INVITED', 'PREPARED', 'ANSWERED', 'REGISTERED', 'RENEWING'], 'ANSWERED'],
  ['renew', ['NONE', 'INVITED', 'PREPARED', 'EXCHANGING', 'ANSWERED'], 'RENEWING'],
  ['complete', ['NONE', 'PREPARED'], 'REGISTERED'],
  ['end', [], 'NONE'],
];

for (const [event, refused, to] of rows) {
  void t.test(`${event} leads to ${to} from every state that permits it`, (t) => {
    for (const state of registrationStates) {
      t.equal(stateAfter(state, event), refused.includes(state) ? null : to, state);
    }
    t.end();
  });
}
