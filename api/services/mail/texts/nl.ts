import type { FailedStartReason, Texts } from './messages.ts';
import { alertText } from './alerts/alert-text.ts';
import { alertWordsNl } from './alerts/nl.ts';
import { localDay, localTime } from './local-time.ts';

const reasons: Record<FailedStartReason, string> = {
  offline: 'De laadpaal was offline.',
  occupied: 'De aansluiting was bezet of buiten gebruik.',
  balance: 'Uw tegoed was lager dan het minimum voor een laadsessie.',
  token: 'De laadpas of app-code voor deze laadsessie was geblokkeerd of al in gebruik.',
  gone: 'De laadpaal is verwijderd.',
  'no-car': 'Er was geen voertuig aangesloten.',
  missed: 'Door een technisch probleem bij ons kon de laadsessie niet starten. Onze excuses daarvoor.',
  refused: 'De laadpaal heeft de start geweigerd.',
};

const resetPassword = (_message: unknown, network: string) => ({
  subject: `Stel uw wachtwoord voor ${network} opnieuw in`,
  paragraphs: [
    `Wij hebben een verzoek ontvangen om het wachtwoord van uw account bij ${network} opnieuw in te stellen.`,
  ],
  action: 'Wachtwoord opnieuw instellen',
  notes: [
    'De link en de code zijn 1 uur geldig.',
    'Hebt u dit niet aangevraagd, negeer dan deze e-mail. Uw wachtwoord blijft ongewijzigd.',
  ],
});

export const nl: Texts = {
  'verify-email': (_message, network) => ({
    subject: `Bevestig uw e-mailadres voor ${network}`,
    paragraphs: [
      `Welkom bij ${network}. Bevestig uw e-mailadres om uw registratie te voltooien en te kunnen laden.`,
    ],
    action: 'E-mailadres bevestigen',
    notes: [
      'De link en de code zijn 24 uur geldig.',
      'Hebt u zich niet geregistreerd, negeer dan deze e-mail. Zonder uw bevestiging wordt het account niet geactiveerd.',
    ],
  }),
  'account-exists': (_message, network) => ({
    subject: `U hebt al een account bij ${network}`,
    paragraphs: [
      `Met dit e-mailadres is geprobeerd een account bij ${network} te registreren, maar het hoort al bij een account. Er is niets gewijzigd.`,
      'Log in met uw bestaande wachtwoord. Bent u het vergeten, kies dan een nieuw wachtwoord.',
    ],
    action: 'Wachtwoord opnieuw instellen',
    notes: [
      'De link en de code zijn 1 uur geldig.',
      'Hebt u niet geprobeerd u te registreren, negeer dan deze e-mail.',
    ],
  }),
  'reset-password': resetPassword,
  'reset-operator-password': resetPassword,
  'password-changed': (_message, network) => ({
    subject: `Uw wachtwoord voor ${network} is gewijzigd`,
    paragraphs: [
      `Het wachtwoord van uw account bij ${network} is gewijzigd. U bent op alle andere apparaten uitgelogd.`,
      'Hebt u het zelf gewijzigd, dan hoeft u niets te doen.',
      'Zo niet, stel dan meteen in de app een nieuw wachtwoord in en neem contact met ons op.',
    ],
  }),
  'operator-password-changed': (_message, network) => ({
    subject: `Uw wachtwoord voor ${network} is gewijzigd`,
    paragraphs: [
      `Het wachtwoord van uw beheerdersaccount bij ${network} is gewijzigd. Alle sessies ervan zijn beëindigd.`,
      'Hebt u het zelf gewijzigd, dan hoeft u niets te doen.',
      'Zo niet, stel het wachtwoord dan meteen opnieuw in op de inlogpagina en waarschuw een beheerder.',
    ],
  }),
  'second-factor-reset': (_message, network) => ({
    subject: `Uw tweede factor voor ${network} is verwijderd`,
    paragraphs: [
      `Een beheerder heeft de tweede factoren van uw beheerdersaccount bij ${network} verwijderd. Alle sessies ervan zijn beëindigd.`,
      'Stel na het inloggen opnieuw een tweede factor in.',
      'Hebt u dit niet aangevraagd, wijzig dan uw wachtwoord en waarschuw een andere beheerder.',
    ],
  }),
  'second-factor-failed': (_message, network) => ({
    subject: `Mislukte aanmelding bij uw ${network}-account`,
    paragraphs: [
      `Iemand heeft het wachtwoord van uw beheerdersaccount bij ${network} ingevoerd, en daarna meermaals een verkeerde tweede factor. De aanmelding is geweigerd.`,
      'Was u dit zelf, log dan opnieuw in.',
      'Was u dit niet, wijzig dan nu uw wachtwoord en waarschuw een beheerder: iemand anders kent het.',
    ],
  }),
  'scheduled-charge-failed': ({ charger, startAt, timeZone, reason }, network) => {
    const when = localTime('nl', startAt, timeZone);
    return {
      subject: `Uw geplande laadsessie bij ${charger} is niet gestart`,
      paragraphs: [
        `De laadsessie die u bij laadpaal ${charger} van ${network} had gepland voor ${when}, is niet gestart. ${reasons[reason]}`,
        'Hiervoor worden geen kosten in rekening gebracht. In de app kunt u een nieuwe laadsessie starten of plannen.',
      ],
    };
  },
  'account-deletion': ({ keptUntil, timeZone }, network) => {
    const day = localDay('nl', keptUntil, timeZone);
    return {
      subject: `Uw account bij ${network} wordt na ${day} verwijderd`,
      paragraphs: [
        `U hebt uw account bij ${network} lange tijd niet gebruikt. Na ${day} verwijderen wij het account, uw persoonlijke gegevens en uw laadpassen. Facturen bewaren wij alleen zolang de wet dat vereist.`,
        `Wilt u uw account behouden, log dan uiterlijk op ${day} in op de app of laad uw voertuig. Wilt u het laten verwijderen, dan hoeft u niets te doen.`,
      ],
    };
  },
  alerts: (message, network) => alertText(alertWordsNl, message, network),
  orEnterCode: 'Of voer deze code in:',
  sentBy: (network) => `Deze e-mail is verzonden door ${network}.`,
  contact: (email) => `Vragen? Schrijf naar ${email}.`,
};
