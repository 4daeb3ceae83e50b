import { titles } from '#shared/domain/fleet/alert-titles/de.ts';
import type { AlertWords } from './alert-text.ts';

export const alertWordsDe: AlertWords = {
  language: 'de',
  titles,
  severities: { critical: 'kritisch', warning: 'Warnung' },
  escalated: 'Nicht bestätigt',
  cleared: 'Behoben',
  flapping: 'Instabil',
  where: 'Standort:',
  since: 'Seit:',
  until: 'Bis:',
  affected: (total) => (total > 1 ? `Betroffen (${total}):` : 'Betroffen:'),
  stillOffline: (count) => `Noch offline: ${count}`,
  andMore: (count) => `und ${count} weitere`,
  digest: (count) => `${count} Meldungen`,
  more: (count) => `Und ${count} weitere. Die Konsole zeigt alle Alarme.`,
  open: 'Alarm ansehen',
  openAll: 'Alle Alarme ansehen',
  intro: {
    raised: 'Ein neuer Alarm erfordert Ihre Aufmerksamkeit.',
    escalated: 'Dieser Alarm wurde noch nicht bestätigt.',
    cleared: 'Dieser Alarm ist behoben. Sie müssen nichts tun.',
    several: 'Mehrere Alarme haben sich geändert.',
  },
  test: { title: 'Testalarm', line: 'Dies ist ein Test. Sie müssen nichts tun.' },
  flappingNote:
    'Instabil: Der Zustand endete und kehrte innerhalb einer Stunde mehrmals zurück. Bis er stabil ist, erhalten Sie dazu keine weiteren E-Mails.',
  acknowledge: 'In der Konsole können Sie die Einzelheiten ansehen und Alarme bestätigen.',
  reason: (network) => `Sie erhalten diese E-Mail, weil diese Adresse Alarme von ${network} empfängt.`,
  mute: 'Alarme stummschalten',
  rule: 'Empfänger und Schwellenwerte ändern',
};
