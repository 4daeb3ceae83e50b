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
  more: (count) => `En nog ${count}. De console toont alle meldingen.`,
  open: 'Melding bekijken',
  openAll: 'Alle meldingen bekijken',
  intro: {
    raised: 'Een nieuwe melding vraagt uw aandacht.',
    escalated: 'Deze melding is nog niet bevestigd.',
    cleared: 'Deze melding is opgelost. U hoeft niets te doen.',
    several: 'Er zijn meerdere meldingen gewijzigd.',
  },
  test: { title: 'Testalarm', line: 'Dit is een test. U hoeft niets te doen.' },
  flappingNote:
    'Instabiel: de toestand eindigde en keerde binnen een uur meerdere keren terug. U ontvangt hierover geen e-mails meer totdat de toestand stabiel is.',
  acknowledge: 'Open de console om de details te bekijken en meldingen te bevestigen.',
  reason: (network) => `U ontvangt deze e-mail omdat dit adres meldingen van ${network} ontvangt.`,
  mute: 'Meldingen dempen',
  rule: 'Ontvangers en drempels wijzigen',
};
