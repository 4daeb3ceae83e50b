import type { Texts } from '../texts.ts';

export const review: Texts['review'] = {
  title: 'Prix à vérifier',
  intro: "Prix que les valeurs d'une borne rendent douteux. Rien n'est débité avant une décision.",
  list: 'Sessions à vérifier',
  waiting_one: '{{count}} session attend, {{amount}}',
  waiting_other: '{{count}} sessions attendent, {{amount}}',
  keys: 'j et k déplacent, a approuve, e corrige, o ouvre la session',
  empty: "Rien n'attend. Tous les prix sont réglés.",
  open: 'Ouvrir la session',
  reason: {
    'energy-implausible': 'Énergie',
    'duration-implausible': 'Durée',
    'signature-invalid': 'Signature',
    'time-missing': 'Heure absente',
    'time-unreadable': 'Heure illisible',
    'time-past': 'Horloge en retard',
    'time-future': 'Horloge en avance',
  },
  column: {
    ended: 'Fin',
    charger: 'Borne',
    reasons: 'Raisons',
    energy: 'Annoncé',
    plausible: 'Vraisemblable',
    price: 'Prix',
  },
  times: '{{factor}} × le maximum vraisemblable',
  register: 'Index',
};
