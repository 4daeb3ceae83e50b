import type { AlertWords } from './alert-text.ts';

export const alertWordsFr: AlertWords = {
  language: 'fr',
  kinds: {
    'charger-offline': ['Borne hors ligne', (count) => `${count} bornes hors ligne`],
    'location-offline': ['Site hors ligne', (count) => `${count} sites hors ligne`],
    'connection-rejected': [
      'Connexions d’une borne refusées',
      (count) => `Connexions de ${count} bornes refusées`,
    ],
    'password-guessing': [
      'Mots de passe erronés freinés',
      (count) => `Mots de passe erronés pour ${count} bornes freinés`,
    ],
    'charger-faulted': ['Borne en panne', (count) => `${count} bornes en panne`],
    'connector-faulted': ['Prise en panne', (count) => `${count} prises en panne`],
    'clock-wrong': ['Horloge d’une borne incorrecte', (count) => `Horloges de ${count} bornes incorrectes`],
    'starts-refused': [
      'Démarrages refusés à répétition',
      (count) => `Démarrages refusés à répétition sur ${count} bornes`,
    ],
    'session-without-energy': ['Recharge sans énergie', (count) => `${count} recharges sans énergie`],
    'session-without-tariff': ['Recharge sans tarif', (count) => `Recharges sans tarif sur ${count} bornes`],
    'session-estimated': [
      'Recharge close par estimation',
      (count) => `${count} recharges closes par estimation`,
    ],
    'session-in-review': ['Recharge à vérifier', (count) => `${count} recharges à vérifier`],
    'unmatched-stop': [
      'Fin d’une recharge inconnue',
      (count) => `Fins de recharges inconnues sur ${count} bornes`,
    ],
    'security-event': ['Événement de sécurité', (count) => `${count} événements de sécurité`],
    'firmware-failed': [
      'Mise à jour du micrologiciel échouée',
      (count) => `Mises à jour du micrologiciel de ${count} bornes échouées`,
    ],
    'gateway-spooling': [
      'Des relevés attendent sur une passerelle',
      (count) => `Des relevés attendent sur ${count} passerelles`,
    ],
    'certificate-expiring': ['Certificat bientôt expiré', (count) => `${count} certificats bientôt expirés`],
    'api-key-expiring': ['Clé d’API bientôt expirée', (count) => `${count} clés d’API bientôt expirées`],
    'partner-unreachable': [
      'Partenaire d’itinérance injoignable',
      (count) => `${count} partenaires d’itinérance injoignables`,
    ],
    'partner-token-expiring': [
      'Jeton d’un partenaire d’itinérance non renouvelé',
      (count) => `Jetons de ${count} partenaires d’itinérance non renouvelés`,
    ],
    'ocpi-party-refused': [
      'Entité d’itinérance refusée',
      (count) => `Entités de ${count} partenaires d’itinérance refusées`,
    ],
    'ocpi-object-refused': [
      'Objet refusé par un partenaire d’itinérance',
      (count) => `Objets refusés par ${count} partenaires d’itinérance`,
    ],
    'payment-currency-mismatch': [
      'Paiement dans une autre devise',
      (count) => `${count} paiements dans une autre devise`,
    ],
  },
  severities: { critical: 'critique', warning: 'avertissement' },
  escalated: 'Non acquittée',
  cleared: 'Terminée',
  flapping: 'Instable',
  where: 'Site :',
  since: 'Depuis :',
  until: 'Jusqu’à :',
  affected: (total) => (total > 1 ? `Concernés (${total}) :` : 'Concerné :'),
  stillOffline: (count) => `Encore hors ligne : ${count}`,
  andMore: (count) => `et ${count} de plus`,
  digest: (count) => `${count} notifications`,
  more: (count) => `Et ${count} de plus. La console affiche toutes les alertes.`,
  open: 'Voir l’alerte',
  openAll: 'Voir toutes les alertes',
  intro: {
    raised: 'Une nouvelle alerte requiert votre attention.',
    escalated: 'Cette alerte n’a pas encore été acquittée.',
    cleared: 'Cette alerte est résolue. Vous n’avez rien à faire.',
    several: 'Plusieurs alertes ont changé.',
  },
  flappingNote:
    'Instable : l’état a cessé puis est revenu plusieurs fois en une heure. Vous ne recevrez plus d’e-mail à ce sujet tant qu’il n’est pas stable.',
  acknowledge: 'Ouvrez la console pour voir les détails et acquitter les alertes.',
  reason: (network) =>
    `Vous recevez cet e-mail parce que cette adresse est destinataire des alertes de ${network}.`,
  mute: 'Mettre des alertes en sourdine',
  rule: 'Modifier les destinataires et les seuils',
};
