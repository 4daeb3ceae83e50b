import type { FailedStartReason, Texts } from './messages.ts';
import { alertText } from './alerts/alert-text.ts';
import { alertWordsDe } from './alerts/de.ts';
import { localDay, localTime } from './local-time.ts';

const reasons: Record<FailedStartReason, string> = {
  offline: 'Die Ladestation war nicht verbunden.',
  occupied: 'Ihr Anschluss war belegt oder außer Betrieb.',
  balance: 'Ihr Guthaben reichte nicht für einen Ladevorgang.',
  token: 'Die Ladekarte oder App-Kennung dafür darf nicht laden oder war in Gebrauch.',
  gone: 'Die Ladestation gibt es nicht mehr.',
  'no-car': 'Die Ladestation war bereit, aber kein Auto war angeschlossen.',
  missed: 'Wir konnten es nicht rechtzeitig versuchen. Das tut uns leid.',
  refused: 'Die Ladestation hat ihn abgelehnt.',
};

const resetPassword = (_message: unknown, network: string) => ({
  subject: `Ein neues Passwort für ${network}`,
  paragraphs: [
    `Für Ihr Konto bei ${network} wurde ein neues Passwort angefordert.`,
    'Der Link gilt eine Stunde. Wenn Sie es nicht waren, müssen Sie nichts tun: Ihr Passwort bleibt, wie es ist.',
  ],
  action: 'Neues Passwort wählen',
});

export const de: Texts = {
  'verify-email': (_message, network) => ({
    subject: `Bestätigen Sie Ihre E-Mail-Adresse für ${network}`,
    paragraphs: [
      `Mit dieser E-Mail-Adresse wurde ein Konto bei ${network} angelegt. Bestätigen Sie, dass die Adresse Ihnen gehört, und Sie können laden.`,
      'Der Link gilt 24 Stunden. Wenn Sie sich nicht angemeldet haben, folgen Sie ihm nicht: Ohne Sie geschieht nichts.',
    ],
    action: 'Adresse bestätigen',
  }),
  'account-exists': (_message, network) => ({
    subject: `Sie sind bei ${network} schon bekannt`,
    paragraphs: [
      `Jemand hat sich bei ${network} mit dieser E-Mail-Adresse angemeldet, die wir bereits kennen. Wenn Sie das waren, melden Sie sich mit Ihrem Passwort an oder wählen Sie hier ein neues.`,
      'Der Link gilt eine Stunde. Wenn Sie es nicht waren, müssen Sie nichts tun: Es wurde nichts geändert.',
    ],
    action: 'Neues Passwort wählen',
  }),
  'reset-password': resetPassword,
  'reset-operator-password': resetPassword,
  'password-changed': (_message, network) => ({
    subject: `Ihr Passwort für ${network} wurde geändert`,
    paragraphs: [
      `Das Passwort Ihres Kontos bei ${network} wurde geändert, und Sie wurden anderswo abgemeldet.`,
      'Wenn Sie es nicht waren, fordern Sie in der App sofort ein neues Passwort an und schreiben Sie uns.',
    ],
  }),
  'operator-password-changed': (_message, network) => ({
    subject: `Ihr Passwort für ${network} wurde geändert`,
    paragraphs: [
      `Das Passwort Ihres Benutzerkontos bei ${network} wurde geändert, und seine Sitzungen wurden beendet.`,
      'Wenn Sie es nicht waren, fordern Sie auf der Anmeldeseite sofort ein neues Passwort an und benachrichtigen Sie einen Administrator.',
    ],
  }),
  'scheduled-charge-failed': ({ charger, startAt, timeZone, reason }, network) => {
    const when = localTime('de', startAt, timeZone);
    return {
      subject: `Ihr Laden an ${charger} hat nicht begonnen`,
      paragraphs: [
        `Der Ladevorgang, den Sie an der Ladestation ${charger} von ${network} für ${when} geplant haben, wurde nicht gestartet. ${reasons[reason]}`,
        'Er kostet Sie nichts. In der App können Sie einen anderen starten oder planen.',
      ],
    };
  },
  'account-deletion': ({ keptUntil, timeZone }, network) => {
    const day = localDay('de', keptUntil, timeZone);
    return {
      subject: `Ihr Konto bei ${network} wird gelöscht`,
      paragraphs: [
        `Sie haben Ihr Konto bei ${network} seit langem nicht benutzt. Wir löschen es nach dem ${day}, mit Ihren persönlichen Daten und Ladekarten. Rechnungen werden so lange aufbewahrt, wie das Gesetz es verlangt.`,
        'Wenn Sie es behalten möchten, melden Sie sich bis dahin in der App an oder laden Sie. Andernfalls müssen Sie nichts tun.',
      ],
    };
  },
  alerts: (message) => alertText(alertWordsDe, message),
  orEnterCode: 'Oder geben Sie in der App diesen Code ein:',
};
