import t from 'tap';
import { breakableParts, lettersOf } from '#api/workers/line-breaks.ts';

void t.test('breaks lines at spaces, and between words that are written without spaces', (t) => {
  for (const [text, parts] of [
    ['Quay 1, a.b@example.org', ['Quay', ' 1,', ' a.b@example.org']],
    ['שלום 34', ['שלום', ' 34']],
    ['서울특별시 강남구', ['서울특별시', ' 강남구']],
    ['नई दिल्ली।', ['नई', ' दिल्ली।']],
    ['ลานจอดรถสนามบิน', ['ลาน', 'จอด', 'รถ', 'สนาม', 'บิน']],
    ['', ['']],
    ['a  b', ['a', ' ', ' b']],
  ] as const) {
    t.same(breakableParts(text), parts, text);
    t.equal(breakableParts(text).join(''), text);
  }
  t.end();
});

void t.test('begins no line with closing punctuation and ends none with an opening bracket', (t) => {
  for (const text of ['「新宿」駅前、確認。', '停车场（地下二层），直流；快充桩。', 'パーキング１～２々ー']) {
    const parts = breakableParts(text);
    t.equal(parts.join(''), text);
    t.ok(parts.length > 2, parts.join('|'));
    for (const part of parts) {
      t.notMatch(part, /^[」、。），；ー々～]/, part);
      t.notMatch(part, /[「（]$/, part);
    }
  }
  t.end();
});

void t.test('keeps letters with their marks', (t) => {
  t.same(lettersOf('กี่𠮷é'), ['กี่', '𠮷', 'é']);
  t.end();
});
