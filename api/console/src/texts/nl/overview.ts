import type { Texts } from '../texts.ts';

export const overview: Texts['overview'] = {
  title: 'Overzicht',
  welcome: {
    title: 'Welkom bij {{network}}',
    lead: 'Er is nog geen laadpaal. Vijf stappen leiden naar de eerste laadsessie, zonder hardware met een gesimuleerde laadpaal.',
    noSession: 'Er heeft nog geen laadsessie plaatsgevonden.',
    begin: 'Begin met de eerste vijf minuten',
    continue: 'Verder naar de eerste laadsessie',
  },
  states: { label: 'Laadpalen naar status', all: 'Laadpalen' },
  today: {
    label: 'Cijfers van vandaag',
    now: 'Vermogen nu',
    running_one: '{{count}} lopende laadsessie',
    running_other: '{{count}} lopende laadsessies',
    energy: 'Energie vandaag',
    revenue: 'Omzet vandaag',
    revenueIn: 'Omzet vandaag, {{currency}}',
    behind: 'Laadsessies van vandaag',
    sessions: 'Vandaag begonnen laadsessies',
    lastWeek: '{{change}} ten opzichte van {{value}} op dit tijdstip een week geleden',
    lastWeekValue: '{{value}} op dit tijdstip een week geleden',
    lastWeekNothing: 'Een week geleden op dit tijdstip niets',
    hours: '{{title}} per uur, met de uren van een week geleden',
    zone: 'Dagen in de tijdzone {{zone}}. Staven: uren van vandaag. Streepjes: dezelfde uren een week geleden.',
  },
  alerts: {
    title: 'Open meldingen',
    none: 'Geen open meldingen.',
    severity: { warning: 'Waarschuwing', critical: 'Kritiek' },
  },
  feed: {
    title: 'Gebeurtenissen',
    nothing: 'Er is nog niets gebeurd.',
    waiting_one: '{{count}} nieuwe',
    waiting_other: '{{count}} nieuwe',
    charger: 'Laadpaal',
    session: 'Laadsessie',
    types: {
      charger: {
        connected: 'Laadpaal verbonden',
        disconnected: 'Laadpaal losgekoppeld',
        booted: 'Laadpaal opgestart',
      },
      connector: { faulted: 'Connector met storing' },
      session: {
        started: 'Laadsessie begonnen',
        stopped: 'Laadsessie beëindigd',
        priced: 'Prijs berekend',
        under_review: 'Laadsessie wordt beoordeeld',
      },
      alert: { raised: 'Melding ontstaan', cleared: 'Melding opgeheven' },
      command: { completed: 'Opdracht uitgevoerd' },
    },
  },
};
