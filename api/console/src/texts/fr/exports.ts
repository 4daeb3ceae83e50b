import type { Texts } from '../texts.ts';

export const exports: Texts['exports'] = {
  title: 'Exports',
  new: 'Nouvel export…',
  none: 'Aucun export.',
  noneHint:
    'Un export écrit des sessions, des CDR ou des mesures dans des fichiers pour un entrepôt de données ou un tableur.',
  anyState: 'Tout état',
  dataset: {
    sessions: 'Sessions',
    cdrs: 'Relevés de charge (CDR)',
    'meter-values': 'Mesures',
  },
  format: {
    parquet: 'Parquet',
    csv: 'CSV',
  },
  by: {
    occurred: 'Moment de l’événement',
    updated: 'Dernière modification',
  },
  state: {
    QUEUED: 'En attente',
    RUNNING: 'En cours',
    COMPLETED: 'Terminé',
    FAILED: 'Échoué',
    EXPIRED: 'Expiré',
  },
  columns: {
    dataset: 'Données',
    format: 'Format',
    range: 'Période',
    by: 'Sélection selon',
    state: 'État',
    progress: 'Parties',
    rows: 'Lignes',
    size: 'Taille',
    createdBy: 'Créé par',
    created: 'Créé',
  },
  progress: '{{stored}} sur {{total}}',
  range: '{{from}} – {{to}}',
  details: 'Export : {{dataset}}',
  parts: 'Parties à télécharger',
  noParts: 'Aucune partie n’est encore enregistrée.',
  download: 'Télécharger la partie {{number}}',
  expires: 'Fichiers supprimés',
  dialog: {
    title: 'Nouvel export',
    from: 'Du',
    to: 'Au (vide : maintenant)',
    create: 'Créer les fichiers',
    direct: 'Télécharger tout de suite',
    directHint:
      'Tout de suite : un fichier de {{days}} jours au plus. Au-delà, créez des fichiers : chaque partie peut être reprise.',
    created: 'L’export est en attente.',
  },
  remove: {
    open: 'Supprimer…',
    title: 'Supprimer l’export « {{dataset}} », {{range}} ?',
    detail: 'Ses fichiers sont supprimés. Un export en cours est annulé.',
    action: 'Supprimer l’export',
    done: 'L’export est supprimé.',
  },
};
