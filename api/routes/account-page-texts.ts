/** The words on the pages that links in e-mails lead to. */
export interface PageTexts {
  verifyTitle: string;
  verifyDone: string;
  resetTitle: string;
  resetDone: string;
  password: string;
  send: string;
  expired: string;
  failed: string;
  noScript: string;
}

const all: Record<string, PageTexts> = {
  en: {
    verifyTitle: 'Confirm your e-mail address',
    verifyDone: 'Your address is confirmed. You can go on in the app.',
    resetTitle: 'Choose a new password',
    resetDone: 'Your password is changed. Log in with it in the app.',
    password: 'New password, at least 8 characters',
    send: 'Confirm',
    expired: 'This link was used already, or its time is over. Ask for a new e-mail in the app.',
    failed: 'That did not work. Try again in a while.',
    noScript: 'This page needs JavaScript. You can enter the code from the e-mail in the app instead.',
  },
  de: {
    verifyTitle: 'E-Mail-Adresse bestätigen',
    verifyDone: 'Ihre Adresse ist bestätigt. Sie können in der App weitermachen.',
    resetTitle: 'Neues Passwort wählen',
    resetDone: 'Ihr Passwort ist geändert. Melden Sie sich damit in der App an.',
    password: 'Neues Passwort, mindestens 8 Zeichen',
    send: 'Bestätigen',
    expired:
      'Dieser Link wurde schon benutzt oder gilt nicht mehr. Fordern Sie in der App eine neue E-Mail an.',
    failed: 'Das hat nicht geklappt. Versuchen Sie es in einer Weile noch einmal.',
    noScript:
      'Diese Seite braucht JavaScript. Sie können statt dessen den Code aus der E-Mail in der App eingeben.',
  },
  nl: {
    verifyTitle: 'Bevestig uw e-mailadres',
    verifyDone: 'Uw adres is bevestigd. U kunt verder in de app.',
    resetTitle: 'Kies een nieuw wachtwoord',
    resetDone: 'Uw wachtwoord is gewijzigd. Log ermee in de app in.',
    password: 'Nieuw wachtwoord, ten minste 8 tekens',
    send: 'Bevestigen',
    expired: 'Deze link is al gebruikt of niet meer geldig. Vraag in de app een nieuwe e-mail aan.',
    failed: 'Dat is niet gelukt. Probeer het straks opnieuw.',
    noScript: 'Deze pagina heeft JavaScript nodig. U kunt ook de code uit de e-mail in de app invoeren.',
  },
  fr: {
    verifyTitle: 'Confirmez votre adresse e-mail',
    verifyDone: 'Votre adresse est confirmée. Vous pouvez continuer dans l’application.',
    resetTitle: 'Choisissez un nouveau mot de passe',
    resetDone: 'Votre mot de passe est modifié. Connectez-vous avec lui dans l’application.',
    password: 'Nouveau mot de passe, 8 caractères au moins',
    send: 'Confirmer',
    expired: 'Ce lien a déjà servi ou n’est plus valable. Demandez un nouvel e-mail dans l’application.',
    failed: 'Cela n’a pas marché. Réessayez dans un moment.',
    noScript:
      'Cette page a besoin de JavaScript. Vous pouvez aussi saisir le code de l’e-mail dans l’application.',
  },
};

/** The words in a language, in English where we have none in it. */
export function pageTexts(wanted: string): { lang: string; texts: PageTexts } {
  const lang = Object.hasOwn(all, wanted) ? wanted : 'en';
  return { lang, texts: all[lang] as PageTexts };
}
