import { titles } from '#shared/domain/fleet/alert-titles/en.ts';
import type { AlertWords } from './alert-text.ts';

export const alertWordsEn: AlertWords = {
  language: 'en-GB',
  titles,
  severities: { critical: 'critical', warning: 'warning' },
  escalated: 'Not acknowledged',
  cleared: 'Cleared',
  flapping: 'Unstable',
  where: 'Location:',
  since: 'Since:',
  until: 'Until:',
  affected: (total) => (total > 1 ? `Affected (${total}):` : 'Affected:'),
  stillOffline: (count) => `Still offline: ${count}`,
  andMore: (count) => `and ${count} more`,
  digest: (count) => `${count} notifications`,
  more: (count) => `And ${count} more. The console lists all alerts.`,
  open: 'View alert',
  openAll: 'View all alerts',
  intro: {
    raised: 'A new alert needs your attention.',
    escalated: 'This alert has not been acknowledged yet.',
    cleared: 'This alert is resolved. No action is needed.',
    several: 'Several alerts have changed.',
  },
  test: { title: 'Test alert', line: 'This is a test. No action is needed.' },
  flappingNote:
    'Unstable: the condition has ended and returned several times within an hour. You receive no further e-mails about it until it is stable.',
  acknowledge: 'Open the console to see the details and to acknowledge alerts.',
  reason: (network) => `You receive this e-mail because this address is a recipient of alerts of ${network}.`,
  mute: 'Mute alerts',
  rule: 'Change recipients and thresholds',
};
