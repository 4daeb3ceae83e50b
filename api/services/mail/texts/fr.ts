import type { FailedStartReason, Texts } from './messages.ts';
import { alertText } from './alerts/alert-text.ts';
import { alertWordsFr } from './alerts/fr.ts';
import { localDay, localTime } from './local-time.ts';

const reasons: Record<FailedStartReason, string> = {
  offline: 'La borne n’était pas connectée.',
  occupied: 'Sa prise était occupée ou hors service.',
  balance: 'Votre portefeuille n’avait pas assez pour une recharge.',
  token: 'Le badge ou le code de l’application prévu n’est pas autorisé à recharger, ou servait déjà.',
  gone: 'La borne n’existe plus.',
  'no-car': 'La borne était prête, mais aucune voiture n’était branchée.',
  missed: 'Nous n’avons pas pu essayer à temps. Veuillez nous en excuser.',
  refused: 'La borne l’a refusée.',
};

const resetPassword = (_message: unknown, network: string) => ({
  subject: `Un nouveau mot de passe pour ${network}`,
  paragraphs: [
    `Un nouveau mot de passe a été demandé pour votre compte chez ${network}.`,
    'Le lien est valable une heure. Si ce n’était pas vous, vous n’avez rien à faire : votre mot de passe reste le même.',
  ],
  action: 'Choisir un nouveau mot de passe',
});

export const fr: Texts = {
  'verify-email': (_message, network) => ({
    subject: `Confirmez votre adresse e-mail pour ${network}`,
    paragraphs: [
      `Un compte a été créé chez ${network} avec cette adresse e-mail. Confirmez qu’elle est à vous, et vous pourrez recharger.`,
      'Le lien est valable 24 heures. Si vous ne vous êtes pas inscrit, ne le suivez pas : rien ne se fait sans vous.',
    ],
    action: 'Confirmer l’adresse',
  }),
  'account-exists': (_message, network) => ({
    subject: `${network} vous connaît déjà`,
    paragraphs: [
      `Quelqu’un s’est inscrit chez ${network} avec cette adresse e-mail, que nous connaissons déjà. Si c’était vous, connectez-vous avec votre mot de passe, ou choisissez-en un nouveau ici.`,
      'Le lien est valable une heure. Si ce n’était pas vous, vous n’avez rien à faire : rien n’a été modifié.',
    ],
    action: 'Choisir un nouveau mot de passe',
  }),
  'reset-password': resetPassword,
  'reset-operator-password': resetPassword,
  'password-changed': (_message, network) => ({
    subject: `Votre mot de passe pour ${network} a été modifié`,
    paragraphs: [
      `Le mot de passe de votre compte chez ${network} a été modifié, et vous avez été déconnecté ailleurs.`,
      'Si ce n’était pas vous, demandez aussitôt un nouveau mot de passe dans l’application et écrivez-nous.',
    ],
  }),
  'operator-password-changed': (_message, network) => ({
    subject: `Votre mot de passe pour ${network} a été modifié`,
    paragraphs: [
      `Le mot de passe de votre compte d’opérateur chez ${network} a été changé, et ses sessions ont été fermées.`,
      'Si ce n’était pas vous, demandez tout de suite un nouveau mot de passe sur la page de connexion et avertissez un administrateur.',
    ],
  }),
  'scheduled-charge-failed': ({ charger, startAt, timeZone, reason }, network) => {
    const when = localTime('fr', startAt, timeZone);
    return {
      subject: `Votre recharge à ${charger} n’a pas commencé`,
      paragraphs: [
        `La recharge que vous aviez programmée à la borne ${charger} de ${network} pour le ${when} n’a pas démarré. ${reasons[reason]}`,
        'Elle ne vous coûte rien. Vous pouvez en démarrer ou en programmer une autre dans l’application.',
      ],
    };
  },
  'account-deletion': ({ keptUntil, timeZone }, network) => {
    const day = localDay('fr', keptUntil, timeZone);
    return {
      subject: `Votre compte chez ${network} sera supprimé`,
      paragraphs: [
        `Vous n’avez pas utilisé votre compte chez ${network} depuis longtemps. Nous le supprimerons après le ${day}, avec vos données personnelles et vos badges de recharge. Les factures sont conservées aussi longtemps que la loi l’exige.`,
        'Si vous souhaitez le garder, connectez-vous à l’application ou rechargez au plus tard ce jour-là. Sinon, vous n’avez rien à faire.',
      ],
    };
  },
  alerts: (message) => alertText(alertWordsFr, message),
  orEnterCode: 'Ou saisissez ce code dans l’application :',
};
