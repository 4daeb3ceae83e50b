import type { FailedStartReason, Texts } from './messages.ts';
import { alertText } from './alerts/alert-text.ts';
import { alertWordsDe } from './alerts/de.ts';
import { localDay, localTime } from './local-time.ts';

const reasons: Record<FailedStartReason, string> = {
  offline: 'Die Ladestation war offline.',
  occupied: 'Der Anschluss war belegt oder außer Betrieb.',
  balance: 'Ihr Guthaben lag unter dem Mindestbetrag für einen Ladevorgang.',
  token: 'Die Ladekarte oder App-Kennung für diesen Ladevorgang war gesperrt oder bereits in Gebrauch.',
  gone: 'Die Ladestation wurde entfernt.',
  'no-car': 'Es war kein Fahrzeug angeschlossen.',
  missed: 'Ein technisches Problem bei uns hat den Start verhindert. Wir bitten um Entschuldigung.',
  refused: 'Die Ladestation hat den Start abgelehnt.',
};

const resetPassword = (_message: unknown, network: string) => ({
  subject: `Passwort für ${network} zurücksetzen`,
  paragraphs: [`Wir haben eine Anfrage erhalten, das Passwort Ihres Kontos bei ${network} zurückzusetzen.`],
  action: 'Passwort zurücksetzen',
  notes: [
    'Link und Code sind 1 Stunde gültig.',
    'Wenn die Anfrage nicht von Ihnen stammt, ignorieren Sie diese E-Mail. Ihr Passwort bleibt unverändert.',
  ],
});

export const de: Texts = {
  'verify-email': (_message, network) => ({
    subject: `Bestätigen Sie Ihre E-Mail-Adresse für ${network}`,
    paragraphs: [
      `Willkommen bei ${network}. Bestätigen Sie Ihre E-Mail-Adresse, um die Registrierung abzuschließen und laden zu können.`,
    ],
    action: 'E-Mail-Adresse bestätigen',
    notes: [
      'Link und Code sind 24 Stunden gültig.',
      'Wenn Sie sich nicht registriert haben, ignorieren Sie diese E-Mail. Ohne Ihre Bestätigung wird das Konto nicht aktiviert.',
    ],
  }),
  'account-exists': (_message, network) => ({
    subject: `Sie haben bereits ein Konto bei ${network}`,
    paragraphs: [
      `Mit dieser E-Mail-Adresse wurde versucht, ein Konto bei ${network} zu registrieren. Sie gehört aber bereits zu einem Konto. Es wurde nichts geändert.`,
      'Melden Sie sich mit Ihrem bisherigen Passwort an. Wenn Sie es vergessen haben, wählen Sie ein neues.',
    ],
    action: 'Passwort zurücksetzen',
    notes: [
      'Link und Code sind 1 Stunde gültig.',
      'Wenn Sie sich nicht registrieren wollten, ignorieren Sie diese E-Mail.',
    ],
  }),
  'reset-password': resetPassword,
  'reset-operator-password': resetPassword,
  'password-changed': (_message, network) => ({
    subject: `Ihr Passwort für ${network} wurde geändert`,
    paragraphs: [
      `Das Passwort Ihres Kontos bei ${network} wurde geändert. Auf allen anderen Geräten wurden Sie abgemeldet.`,
      'Wenn Sie es selbst geändert haben, müssen Sie nichts tun.',
      'Andernfalls setzen Sie Ihr Passwort sofort in der App zurück und kontaktieren Sie uns.',
    ],
  }),
  'operator-password-changed': (_message, network) => ({
    subject: `Ihr Passwort für ${network} wurde geändert`,
    paragraphs: [
      `Das Passwort Ihres Benutzerkontos bei ${network} wurde geändert. Alle seine Sitzungen sind beendet.`,
      'Wenn Sie es selbst geändert haben, müssen Sie nichts tun.',
      'Andernfalls setzen Sie das Passwort sofort auf der Anmeldeseite zurück und benachrichtigen Sie einen Administrator.',
    ],
  }),
  'second-factor-reset': (_message, network) => ({
    subject: `Ihr zweiter Faktor für ${network} wurde entfernt`,
    paragraphs: [
      `Ein Administrator hat die zweiten Faktoren Ihres Benutzerkontos bei ${network} entfernt. Alle seine Sitzungen sind beendet.`,
      'Richten Sie nach der Anmeldung wieder einen zweiten Faktor ein.',
      'Wenn Sie das nicht angefordert haben, ändern Sie Ihr Passwort und benachrichtigen Sie einen anderen Administrator.',
    ],
  }),
  'second-factor-failed': (_message, network) => ({
    subject: `Fehlgeschlagene Anmeldung an Ihrem Konto bei ${network}`,
    paragraphs: [
      `Jemand hat das Passwort Ihres Benutzerkontos bei ${network} eingegeben und danach mehrmals einen falschen zweiten Faktor. Die Anmeldung wurde abgewiesen.`,
      'Wenn Sie das waren, melden Sie sich erneut an.',
      'Wenn nicht, ändern Sie jetzt Ihr Passwort und benachrichtigen Sie einen Administrator: Jemand anderes kennt es.',
    ],
  }),
  'scheduled-charge-failed': ({ charger, startAt, timeZone, reason }, network) => {
    const when = localTime('de', startAt, timeZone);
    return {
      subject: `Ihr geplanter Ladevorgang an ${charger} wurde nicht gestartet`,
      paragraphs: [
        `Der Ladevorgang, den Sie an der Ladestation ${charger} von ${network} für ${when} geplant haben, wurde nicht gestartet. ${reasons[reason]}`,
        'Dafür entstehen Ihnen keine Kosten. In der App können Sie einen neuen Ladevorgang starten oder planen.',
      ],
    };
  },
  'account-deletion': ({ keptUntil, timeZone }, network) => {
    const day = localDay('de', keptUntil, timeZone);
    return {
      subject: `Ihr Konto bei ${network} wird nach dem ${day} gelöscht`,
      paragraphs: [
        `Sie haben Ihr Konto bei ${network} seit langem nicht benutzt. Nach dem ${day} löschen wir das Konto, Ihre persönlichen Daten und Ihre Ladekarten. Rechnungen bewahren wir nur so lange auf, wie das Gesetz es verlangt.`,
        `Um das Konto zu behalten, melden Sie sich bis zum ${day} in der App an oder laden Sie. Soll es gelöscht werden, müssen Sie nichts tun.`,
      ],
    };
  },
  alerts: (message, network) => alertText(alertWordsDe, message, network),
  orEnterCode: 'Oder geben Sie diesen Code ein:',
  sentBy: (network) => `Diese E-Mail wurde von ${network} gesendet.`,
  contact: (email) => `Fragen? Schreiben Sie an ${email}.`,
};
