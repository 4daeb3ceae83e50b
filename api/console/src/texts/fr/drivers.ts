import type { Texts } from '../texts.ts';

export const drivers: Texts['drivers'] = {
  title: 'Conducteurs',
  searchHint: 'Nom, e-mail, téléphone, numéro client',
  empty: 'Pas encore de conducteurs.',
  field: {
    name: 'Nom',
    email: 'Adresse e-mail',
    phone: 'Téléphone',
    language: 'Langue',
    languageHint: 'Des e-mails et des reçus, par exemple nl ou de-AT. Vide : la langue du réseau.',
    externalId: 'Numéro client',
    externalIdHint: 'Numéro du conducteur dans vos propres livres.',
    created: 'Créé',
    id: 'Copier l’identifiant du conducteur',
  },
  networkLanguage: 'Comme le réseau',
  new: {
    open: 'Nouveau conducteur…',
    title: 'Nouveau conducteur',
    action: 'Créer le conducteur',
    done: '{{name}} est créé.',
  },
  edit: { open: 'Modifier…', title: 'Modifier {{name}}', done: '{{name}} est enregistré.' },
  exportData: 'Exporter les données',
  remove: {
    open: 'Supprimer…',
    title: 'Supprimer le conducteur {{name}} ?',
    detail:
      'Le nom, l’adresse e-mail, le téléphone et le numéro client sont effacés, les badges deviennent définitivement invalides et les clés du conducteur sont révoquées. Les sessions et les paiements restent sans données personnelles.',
    action: 'Supprimer le conducteur',
    done: 'Le conducteur est supprimé.',
  },
  blocked: 'Bloqué',
  block: {
    open: 'Bloquer…',
    title: 'Bloquer le conducteur {{name}} ?',
    detail:
      'Le conducteur est déconnecté et ne peut plus se connecter. Tous ses badges ne fonctionnent plus dès leur prochaine autorisation, même ceux ajoutés plus tard. Les sessions en cours continuent.',
    action: 'Bloquer le conducteur',
    done: '{{name}} est bloqué.',
  },
  unblock: { open: 'Débloquer', done: '{{name}} n’est plus bloqué.' },
  failed: 'Échec : {{message}}',
  statistics: {
    sessions: 'Sessions',
    running: 'En cours',
    energy: 'Énergie',
    cost: 'Coût à ce jour',
    last: 'Dernière session',
  },
  profile: 'Profil',
  charged: 'Rechargé à ce jour',
  wallet: {
    title: 'Portefeuille',
    open: 'Mouvements du portefeuille',
    none: 'Pas de portefeuille : les sessions sont facturées.',
    balance: 'Solde',
    available: 'Disponible',
    held: 'Réservé pour des sessions',
    owed: 'Dû',
  },
  tokens: {
    title: 'Badges',
    none: 'Aucun badge : le conducteur ne peut pas lancer de session avec une carte.',
  },
  sessions: {
    title: 'Dernières sessions',
    all: 'Toutes les sessions du conducteur',
    none: 'Pas encore de sessions.',
  },
};
