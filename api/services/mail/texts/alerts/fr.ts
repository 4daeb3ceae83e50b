import { titles } from '#shared/domain/fleet/alert-titles/fr.ts';
import type { AlertWords } from './alert-text.ts';

export const alertWordsFr: AlertWords = {
  language: 'fr',
  titles,
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
  test: { title: 'Alerte de test', line: 'Ceci est un test. Vous n’avez rien à faire.' },
  flappingNote:
    'Instable : l’état a cessé puis est revenu plusieurs fois en une heure. Vous ne recevrez plus d’e-mail à ce sujet tant qu’il n’est pas stable.',
  acknowledge: 'Ouvrez la console pour voir les détails et acquitter les alertes.',
  reason: (network) =>
    `Vous recevez cet e-mail parce que cette adresse est destinataire des alertes de ${network}.`,
  mute: 'Mettre des alertes en sourdine',
  rule: 'Modifier les destinataires et les seuils',
};
