import type { FailedStartReason, Texts } from './messages.ts';
import { alertText } from './alerts/alert-text.ts';
import { alertWordsFr } from './alerts/fr.ts';
import { localDay, localTime } from './local-time.ts';

const reasons: Record<FailedStartReason, string> = {
  offline: 'La borne était hors ligne.',
  occupied: 'La prise était occupée ou hors service.',
  balance: 'Le solde de votre portefeuille était inférieur au minimum requis pour une recharge.',
  token: 'Le badge ou l’identifiant de l’application prévu pour cette recharge était bloqué ou déjà utilisé.',
  gone: 'La borne a été retirée.',
  'no-car': 'Aucun véhicule n’était branché.',
  missed: 'Un problème technique de notre côté a empêché le démarrage. Veuillez nous en excuser.',
  refused: 'La borne a refusé le démarrage.',
};

const resetPassword = (_message: unknown, network: string) => ({
  subject: `Réinitialisez votre mot de passe ${network}`,
  paragraphs: [`Nous avons reçu une demande de réinitialisation du mot de passe de votre compte ${network}.`],
  action: 'Réinitialiser le mot de passe',
  notes: [
    'Le lien et le code expirent dans 1 heure.',
    'Si vous n’êtes pas à l’origine de cette demande, ignorez cet e-mail. Votre mot de passe reste inchangé.',
  ],
});

export const fr: Texts = {
  'verify-email': (_message, network) => ({
    subject: `Confirmez votre adresse e-mail pour ${network}`,
    paragraphs: [
      `Bienvenue chez ${network}. Confirmez votre adresse e-mail pour terminer votre inscription et pouvoir recharger.`,
    ],
    action: 'Confirmer l’adresse e-mail',
    notes: [
      'Le lien et le code expirent dans 24 heures.',
      'Si vous ne vous êtes pas inscrit, ignorez cet e-mail. Le compte n’est pas activé sans votre confirmation.',
    ],
  }),
  'account-exists': (_message, network) => ({
    subject: `Vous avez déjà un compte ${network}`,
    paragraphs: [
      `Cette adresse e-mail a été utilisée pour une inscription chez ${network}, mais elle appartient déjà à un compte. Rien n’a été modifié.`,
      'Connectez-vous avec votre mot de passe actuel. Si vous l’avez oublié, choisissez-en un nouveau.',
    ],
    action: 'Réinitialiser le mot de passe',
    notes: [
      'Le lien et le code expirent dans 1 heure.',
      'Si vous n’avez pas essayé de vous inscrire, ignorez cet e-mail.',
    ],
  }),
  'reset-password': resetPassword,
  'reset-operator-password': resetPassword,
  'password-changed': (_message, network) => ({
    subject: `Votre mot de passe ${network} a été modifié`,
    paragraphs: [
      `Le mot de passe de votre compte ${network} a été modifié. Vous avez été déconnecté de tous vos autres appareils.`,
      'Si vous êtes à l’origine de cette modification, vous n’avez rien à faire.',
      'Sinon, réinitialisez immédiatement votre mot de passe dans l’application et contactez-nous.',
    ],
  }),
  'operator-password-changed': (_message, network) => ({
    subject: `Votre mot de passe ${network} a été modifié`,
    paragraphs: [
      `Le mot de passe de votre compte d’opérateur chez ${network} a été modifié. Toutes ses sessions ont été fermées.`,
      'Si vous êtes à l’origine de cette modification, vous n’avez rien à faire.',
      'Sinon, réinitialisez immédiatement le mot de passe sur la page de connexion et avertissez un administrateur.',
    ],
  }),
  'second-factor-reset': (_message, network) => ({
    subject: `Votre second facteur ${network} a été supprimé`,
    paragraphs: [
      `Un administrateur a supprimé les seconds facteurs de votre compte d’opérateur chez ${network}. Toutes ses sessions ont été fermées.`,
      'Ajoutez de nouveau un second facteur après la connexion.',
      'Si vous n’avez pas demandé cela, changez votre mot de passe et avertissez un autre administrateur.',
    ],
  }),
  'second-factor-failed': (_message, network) => ({
    subject: `Échec de connexion à votre compte ${network}`,
    paragraphs: [
      `Quelqu’un a saisi le mot de passe de votre compte d’opérateur chez ${network}, puis plusieurs fois un second facteur incorrect. La connexion a été refusée.`,
      'Si c’était vous, connectez-vous de nouveau.',
      'Sinon, changez votre mot de passe maintenant et avertissez un administrateur : quelqu’un d’autre le connaît.',
    ],
  }),
  'scheduled-charge-failed': ({ charger, startAt, timeZone, reason }, network) => {
    const when = localTime('fr', startAt, timeZone);
    return {
      subject: `Votre recharge programmée à ${charger} n’a pas démarré`,
      paragraphs: [
        `La recharge que vous aviez programmée à la borne ${charger} de ${network} pour le ${when} n’a pas démarré. ${reasons[reason]}`,
        'Elle ne vous est pas facturée. Ouvrez l’application pour démarrer ou programmer une autre recharge.',
      ],
    };
  },
  'account-deletion': ({ keptUntil, timeZone }, network) => {
    const day = localDay('fr', keptUntil, timeZone);
    return {
      subject: `Votre compte ${network} sera supprimé après le ${day}`,
      paragraphs: [
        `Vous n’avez pas utilisé votre compte ${network} depuis longtemps. Après le ${day}, nous supprimerons le compte, vos données personnelles et vos badges de recharge. Nous ne conservons les factures qu’aussi longtemps que la loi l’exige.`,
        `Pour conserver votre compte, connectez-vous à l’application ou rechargez au plus tard le ${day}. Pour le laisser supprimer, vous n’avez rien à faire.`,
      ],
    };
  },
  alerts: (message, network) => alertText(alertWordsFr, message, network),
  orEnterCode: 'Ou saisissez ce code :',
  sentBy: (network) => `Cet e-mail a été envoyé par ${network}.`,
  contact: (email) => `Des questions ? Écrivez à ${email}.`,
};
