import type { Texts } from '../texts.ts';

export const apiKeys: Texts['apiKeys'] = {
  title: 'Clés d’API',
  families: 'API',
  family: {
    cpms: 'API opérateur',
    cpmsHint:
      'Clés des serveurs qui exploitent le réseau. Le journal d’audit nomme la clé de chaque modification.',
    emsp: 'API conducteur',
    emspHint:
      'Clés des applications et partenaires au service des conducteurs. Une clé publiable peut figurer dans une application ou une page.',
  },
  create: 'Créer une clé',
  empty: 'Il n’y a pas encore de clé.',
  column: {
    name: 'Nom',
    secret: 'Secret',
    scopes: 'Portées',
    networks: 'Réseaux',
    limit: 'Limite',
    lastUsed: 'Dernière utilisation',
    expires: 'Expiration',
    createdBy: 'Créée par',
  },
  scopes_one: '{{count}} portée',
  scopes_other: '{{count}} portées',
  allNetworks: 'Tous les réseaux',
  noLimit: 'Sans limite',
  perHour: '{{number}} / h',
  never: 'Jamais',
  expired: 'Expirée',
  addresses: 'Adresses IP',
  anyAddress: 'Toutes',
  uses: 'Requêtes',
  created: 'Créée',
  type: {
    label: 'Type',
    Private: 'Privée',
    Publishable: 'Publiable',
    publishableHint:
      'Lisible par tous : marque, bornes publiques et prix seulement, toujours avec une limite.',
  },
  groups: {
    reads: 'Lecture',
    writes: 'Écriture',
    commands: 'Commandes aux bornes',
    driver: 'API conducteur',
  },
  chooseAll: 'Tout choisir',
  chooseNone: 'Ne rien choisir',
  new: {
    cpms: 'Créer une clé de l’API opérateur',
    emsp: 'Créer une clé de l’API conducteur',
    done: 'La clé est créée',
    stored: 'Je l’ai conservé',
    description: 'Description (facultative)',
    ownNetworks: 'Tous ceux auxquels j’ai accès',
    scopesHint: 'Seules les portées que vous avez vous-même peuvent être accordées.',
    rate: 'Requêtes par heure (facultatif)',
    addressesHint:
      'Adresses et plages CIDR qui peuvent utiliser la clé, séparées par des espaces. Vide : celles de votre propre clé, ou toutes.',
  },
  revoke: {
    action: 'Révoquer la clé',
    title: 'Révoquer « {{name}} » ?',
    text: 'La clé cesse de fonctionner dès la prochaine requête. Toutes les clés qu’elle a créées, directement ou par d’autres, sont révoquées avec elle. C’est irréversible.',
    descendants_one: 'Cette clé est révoquée aussi :',
    descendants_other: 'Ces {{count}} clés sont révoquées aussi :',
    done_one: 'La clé est révoquée.',
    done_other: '{{count}} clés sont révoquées.',
  },
};
