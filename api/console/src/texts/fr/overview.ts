import type { Texts } from '../texts.ts';

export const overview: Texts['overview'] = {
  title: 'Vue d’ensemble',
  welcome: {
    title: 'Bienvenue chez {{network}}',
    lead: 'Il n’y a pas encore de borne. Cinq étapes mènent à la première session, avec une borne simulée sans matériel.',
    noSession: 'Aucune session n’a encore eu lieu.',
    begin: 'Commencer par les cinq premières minutes',
    continue: 'Continuer vers la première session',
  },
  states: { label: 'Bornes par état', all: 'Bornes' },
  today: {
    label: 'Chiffres du jour',
    now: 'Puissance actuelle',
    running_one: '{{count}} session en cours',
    running_other: '{{count}} sessions en cours',
    energy: 'Énergie du jour',
    revenue: 'Recettes du jour',
    revenueIn: 'Recettes du jour, {{currency}}',
    behind: 'Sessions du jour',
    sessions: 'Sessions commencées ce jour',
    lastWeek: '{{change}} par rapport à {{value}} à la même heure il y a une semaine',
    lastWeekValue: '{{value}} à la même heure il y a une semaine',
    lastWeekNothing: 'Rien à la même heure il y a une semaine',
    hours: '{{title}} par heure, avec les heures d’il y a une semaine',
    zone: 'Jours dans le fuseau {{zone}}. Barres : heures du jour. Traits : mêmes heures il y a une semaine.',
  },
  alerts: {
    title: 'Alertes ouvertes',
    none: 'Aucune alerte ouverte.',
    severity: { warning: 'Avertissement', critical: 'Critique' },
  },
  feed: {
    title: 'Événements en direct',
    nothing: 'Rien ne s’est encore passé.',
    waiting_one: '{{count}} nouveau',
    waiting_other: '{{count}} nouveaux',
    charger: 'Borne',
    session: 'Session',
    types: {
      charger: {
        connected: 'Borne connectée',
        disconnected: 'Borne déconnectée',
        booted: 'Borne redémarrée',
      },
      connector: { faulted: 'Connecteur en panne' },
      session: {
        started: 'Session commencée',
        stopped: 'Session terminée',
        priced: 'Prix calculé',
        under_review: 'Session à vérifier',
      },
      alert: { raised: 'Alerte déclenchée', cleared: 'Alerte levée' },
      command: { completed: 'Commande exécutée' },
    },
  },
};
