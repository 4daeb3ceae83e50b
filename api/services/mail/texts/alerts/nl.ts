import { titles } from '#shared/domain/fleet/alert-titles/nl.ts';
import type { AlertWords } from './alert-text.ts';

export const alertWordsNl: AlertWords = {
  language: 'nl',
  titles,
  severities: { critical: 'kritiek', warning: 'waarschuwing' },
  escalated: 'Niet bevestigd',
  cleared: 'Opgelost',
  flapping: 'Instabiel',
  where: 'Locatie:',
  since: 'Sinds:',
  until: 'Tot:',
  affected: (total) => (total > 1 ? `Betreft (${total}):` : 'Betreft:'),
  stillOffline: (count) => `Nog offline: ${count}`,
  andMore: (count) => `en nog ${count}`,
  digest: (count) => `${count} meldingen`,
  more: (count) => `En nog ${count}. De console toont alle alarmen.`,
  open: 'Alarm bekijken',
  openAll: 'Alle alarmen bekijken',
  intro: {
    raised: 'Een nieuw alarm vraagt uw aandacht.',
    escalated: 'Dit alarm is nog niet bevestigd.',
    cleared: 'Dit alarm is opgelost. U hoeft niets te doen.',
    several: 'Er zijn meerdere alarmen gewijzigd.',
  },
  test: { title: 'Testalarm', line: 'Dit is een test. U hoeft niets te doen.' },
  flappingNote:
    'Instabiel: de toestand eindigde en keerde binnen een uur meerdere keren terug. U ontvangt hierover geen e-mails meer totdat de toestand stabiel is.',
  acknowledge: 'Open de console om de details te bekijken en alarmen te bevestigen.',
  reason: (network) => `U ontvangt deze e-mail omdat dit adres alarmen van ${network} ontvangt.`,
  mute: 'Alarmen dempen',
  rule: 'Ontvangers en drempels wijzigen',
};
