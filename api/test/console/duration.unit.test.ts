import t from 'tap';
import { durationText, exactDurationText } from '#api/console/src/texts/duration.ts';

const minute = 60;
const hour = 60 * minute;
const day = 24 * hour;

void t.test('writes a duration in words, in the two largest units', (t) => {
  const words: [seconds: number, text: string][] = [
    [-3, '0 sec'],
    [0, '0 sec'],
    [59.4, '59 sec'],
    [59.6, '1 min'],
    [19 * minute + 32, '19 min'],
    [hour, '1 hr'],
    [hour + 4 * minute + 9, '1 hr 4 min'],
    [day + 5 * minute, '1 day'],
    [3 * day + 2 * hour + 59 * minute, '3 days 2 hr'],
  ];
  for (const [seconds, text] of words) t.equal(durationText(seconds, 'en-GB'), text);
  t.end();
});

void t.test('writes a duration in words to the second', (t) => {
  t.equal(exactDurationText(90, 'en-GB'), '1 min 30 sec');
  t.equal(exactDurationText(day + 1, 'en-GB'), '1 day 1 sec');
  t.equal(exactDurationText(0, 'en-GB'), '0 sec');
  t.end();
});

void t.test('writes durations in the language of the console', (t) => {
  const seconds = hour + 4 * minute;
  t.equal(durationText(seconds, 'de-DE'), '1 Std. 4 Min.');
  t.match(durationText(seconds, 'fr-FR'), /^1\sh 4\smin$/);
  t.equal(durationText(seconds, 'nl-NL'), '1 uur 4 min');
  t.end();
});
