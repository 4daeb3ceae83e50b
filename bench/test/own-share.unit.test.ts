import t from 'tap';
import { withoutAnswerTimes } from '#bench/load/own-share.ts';

void t.test('subtracts each answer of a charger from its command, in the order of sending', (t) => {
  const commands = [
    { uid: 'A', ms: 30, sentAt: 2 },
    { uid: 'B', ms: 8, sentAt: 1 },
    { uid: 'A', ms: 20, sentAt: 0 },
    { uid: 'C', ms: 9, sentAt: 3 },
  ];
  const answers = [
    { uid: 'A', ms: 1 },
    { uid: 'B', ms: 2 },
    { uid: 'A', ms: 5 },
  ];
  // C did not answer.
  t.same([...withoutAnswerTimes(commands, answers).values()], [19, 6, 25]);
  t.end();
});
