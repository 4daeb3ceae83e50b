import type { Texts } from '../texts.ts';

export const people: Texts['people'] = {
  network: 'Réseau',
  any: 'Tous',
  filters: 'Filtres',
  search: 'Recherche',
  actions: 'Actions',
  role: { Owner: 'Propriétaire', Admin: 'Administrateur', Manager: 'Gestionnaire', Viewer: 'Lecteur' },
  problem: {
    SCOPE_MISSING: 'Votre rôle ne le permet pas.',
    ROLE_NOT_ALLOWED:
      'Vous ne pouvez accorder ou modifier que des rôles jusqu’au vôtre, avec des droits que vous avez.',
    NETWORK_NOT_ALLOWED: 'Vous ne pouvez accorder que des réseaux auxquels vous avez accès.',
    KEY_LIMIT_EXCEEDED: 'Vous êtes connecté avec une clé limitée. Un compte n’aurait pas cette limite.',
    LAST_OWNER: 'Chaque réseau garde au moins un propriétaire. Ajoutez-en d’abord un autre.',
    OPERATOR_EXTERNAL: 'Un fournisseur d’identité gère ce compte. Ici, il peut seulement être désactivé.',
    OPERATOR_EXISTS: 'Il existe déjà un compte avec cette adresse e-mail.',
    USER_EXISTS: 'Le réseau a déjà un conducteur avec cette adresse e-mail.',
    USER_IN_USE: 'Le conducteur est en train de recharger, ou son portefeuille n’est pas soldé.',
    USER_NOT_FOUND: 'Ce conducteur n’existe pas dans le réseau du badge.',
    ID_TOKEN_EXISTS: 'Le réseau a déjà un badge avec cet UID.',
    PRECONDITION_FAILED: 'Quelqu’un l’a modifié entre-temps. Fermez cette fenêtre, vérifiez et recommencez.',
  },
};
