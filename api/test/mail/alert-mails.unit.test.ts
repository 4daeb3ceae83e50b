import t from 'tap';
import { renderMail } from '#api/services/mail/render.ts';
import type { AlertEntry, AlertMail } from '#api/services/mail/texts/messages.ts';
import { alertKinds } from '#shared/domain/fleet/alert.ts';

const languages = ['en', 'de', 'fr', 'nl'] as const;
const publicUrl = 'https://charge.example';
const alertsUrl = `${publicUrl}/console/alerts`;
const network = { name: 'North', primaryColor: null, supportEmail: null, website: null };

const entry = (changed: Partial<AlertEntry> = {}): AlertEntry => ({
  cause: 'raised',
  kind: 'location-offline',
  severity: 'critical',
  isFlapping: false,
  location: 'Quay, Rotterdam',
  timeZone: 'Europe/Amsterdam',
  count: 1,
  since: new Date('2026-11-24T08:12:00Z'),
  until: null,
  names: ['CP-1', 'CP-2'],
  moreNames: 10,
  stillOffline: 0,
  alertId: '223e4567-e89b-42d3-a456-426614174000',
  ...changed,
});
const render = (entries: AlertEntry[], language: (typeof languages)[number] = 'en', more = 0) => {
  const message: AlertMail = { kind: 'alerts', entries, more, alertsUrl };
  return renderMail(message, network, language, publicUrl);
};

void t.test('writes a headline of its own for every kind, number and language', async (t) => {
  const subjects = new Set<string>();
  for (const language of languages) {
    for (const kind of alertKinds) {
      subjects.add(`${language} ${render([entry({ kind })], language).subject}`);
      subjects.add(`${language} ${render([entry({ kind, count: 7 })], language).subject}`);
    }
  }
  t.equal(subjects.size, languages.length * alertKinds.length * 2);
});

void t.test('states what, where, since when, who and the next step on one screen', async (t) => {
  const { subject, text } = render([entry()]);
  t.equal(subject, 'Location offline: Quay, Rotterdam');
  t.equal(
    text,
    [
      'A new alert needs your attention.',
      [
        'Location offline (critical)',
        'Location: Quay, Rotterdam',
        'Since: Tue 24 Nov, 09:12 CET',
        'Affected (12): CP-1, CP-2 and 10 more',
        'View alert',
        `${alertsUrl}?alert=223e4567-e89b-42d3-a456-426614174000`,
      ].join('\n'),
      'Open the console to see the details and to acknowledge alerts.',
      'You receive this e-mail because this address is a recipient of alerts of North.',
      `Mute alerts\n${alertsUrl}?tab=mutes`,
      `Change recipients and thresholds\n${alertsUrl}?tab=rules`,
      '-- \nThis e-mail was sent by North.\n',
    ].join('\n\n'),
  );
});

void t.test('names the charger of a single alert, and its location for several', async (t) => {
  const one = { kind: 'charger-faulted' as const, names: ['CP-1'], moreNames: 0 };
  t.equal(render([entry(one)]).subject, 'Charger faulted: CP-1');
  t.equal(
    render([entry({ ...one, count: 4, alertId: null })]).subject,
    '4 chargers faulted: Quay, Rotterdam',
  );
  t.equal(render([entry({ ...one, count: 4, location: null })]).subject, '4 chargers faulted');
  t.match(render([entry({ ...one, count: 4, alertId: null })]).text, `${alertsUrl}?kind=charger-faulted`);
});

void t.test('marks what escalates, is over or is unstable', async (t) => {
  t.match(render([entry({ cause: 'escalated' })]).subject, /^Not acknowledged: Location offline/);
  t.match(render([entry({ isFlapping: true })]), {
    subject: /^Unstable: /,
    text: /several times within an hour/,
  });
  const over = render([
    entry({ cause: 'cleared', until: new Date('2026-11-24T09:00:00Z'), stillOffline: 2 }),
  ]);
  t.match(over, { subject: /^Cleared: /, text: /Until: Tue 24 Nov, 10:00 CET[^]*Still offline: 2/ });
});

void t.test('lists several notifications in one e-mail, and the number of the others', async (t) => {
  const { subject, text, html } = render([entry(), entry({ kind: 'charger-offline' })], 'en', 3);
  t.equal(subject, '5 notifications: Location offline');
  t.match(text, /Location offline \(critical\)[^]*Charger offline \(critical\)[^]*And 3 more/);
  t.equal(html.match(/<strong>/g)?.length, 2);
});

void t.test('escapes names', async (t) => {
  const { html } = render([entry({ names: ['<b>CP</b>'], location: '"Quay" & <i>' })]);
  t.match(html, '&lt;b&gt;CP&lt;/b&gt;');
  t.match(html, '&quot;Quay&quot; &amp; &lt;i&gt;');
  t.notMatch(html, '<b>');
});
