import type { FailedStartReason, Texts } from './messages.ts';
import { alertText } from './alerts/alert-text.ts';
import { alertWordsNl } from './alerts/nl.ts';
import { localDay, localTime } from './local-time.ts';

const reasons: Record<FailedStartReason, string> = {
  offline: 'De laadpaal was niet verbonden.',
  occupied: 'De aansluiting was bezet of buiten gebruik.',
  balance: 'Uw tegoed was te laag voor een laadsessie.',
  token: 'De laadpas of app-code daarvoor mag niet laden, of was in gebruik.',
  gone: 'De laadpaal is er niet meer.',
  'no-car': 'De laadpaal was klaar, maar er was geen auto aangesloten.',
  missed: 'Wij konden het niet op tijd proberen. Onze excuses daarvoor.',
  refused: 'De laadpaal heeft de sessie geweigerd.',
};

const resetPassword = (_message: unknown, network: string) => ({
  subject: `Een nieuw wachtwoord voor ${network}`,
  paragraphs: [
    `Voor uw account bij ${network} is een nieuw wachtwoord aangevraagd.`,
    'De link is één uur geldig. Was u het niet, dan hoeft u niets te doen: uw wachtwoord blijft zoals het is.',
  ],
  action: 'Nieuw wachtwoord kiezen',
});

export const nl: Texts = {
  'verify-email': (_message, network) => ({
    subject: `Bevestig uw e-mailadres voor ${network}`,
    paragraphs: [
      `Met dit e-mailadres is een account bij ${network} aangemaakt. Bevestig dat het adres van u is, en u kunt laden.`,
      'De link is 24 uur geldig. Hebt u zich niet aangemeld, open hem dan niet: zonder u gebeurt er niets.',
    ],
    action: 'Adres bevestigen',
  }),
  'account-exists': (_message, network) => ({
    subject: `U bent al bekend bij ${network}`,
    paragraphs: [
      `Iemand heeft zich bij ${network} aangemeld met dit e-mailadres, dat wij al kennen. Was u dat, log dan in met uw wachtwoord of kies hier een nieuw.`,
      'De link is één uur geldig. Was u het niet, dan hoeft u niets te doen: er is niets gewijzigd.',
    ],
    action: 'Nieuw wachtwoord kiezen',
  }),
  'reset-password': resetPassword,
  'reset-operator-password': resetPassword,
  'password-changed': (_message, network) => ({
    subject: `Uw wachtwoord voor ${network} is gewijzigd`,
    paragraphs: [
      `Het wachtwoord van uw account bij ${network} is gewijzigd, en u bent elders uitgelogd.`,
      'Was u het niet, vraag dan meteen in de app een nieuw wachtwoord aan en schrijf ons.',
    ],
  }),
  'operator-password-changed': (_message, network) => ({
    subject: `Uw wachtwoord voor ${network} is gewijzigd`,
    paragraphs: [
      `Het wachtwoord van uw beheerdersaccount bij ${network} is gewijzigd, en de sessies ervan zijn beëindigd.`,
      'Was u het niet, vraag dan meteen een nieuw wachtwoord aan op de inlogpagina en waarschuw een beheerder.',
    ],
  }),
  'scheduled-charge-failed': ({ charger, startAt, timeZone, reason }, network) => {
    const when = localTime('nl', startAt, timeZone);
    return {
      subject: `Uw laadsessie bij ${charger} is niet gestart`,
      paragraphs: [
        `De laadsessie die u bij de laadpaal ${charger} van ${network} had gepland voor ${when} is niet gestart. ${reasons[reason]}`,
        'Ze kost u niets. In de app kunt u een andere starten of plannen.',
      ],
    };
  },
  'account-deletion': ({ keptUntil, timeZone }, network) => {
    const day = localDay('nl', keptUntil, timeZone);
    return {
      subject: `Uw account bij ${network} wordt verwijderd`,
      paragraphs: [
        `U hebt uw account bij ${network} lange tijd niet gebruikt. Wij verwijderen het na ${day}, met uw persoonlijke gegevens en laadpassen. Facturen worden bewaard zolang de wet dat vereist.`,
        'Wilt u het behouden, log dan uiterlijk op die dag in op de app of laad. Anders hoeft u niets te doen.',
      ],
    };
  },
  alerts: (message) => alertText(alertWordsNl, message),
  orEnterCode: 'Of voer deze code in de app in:',
};
