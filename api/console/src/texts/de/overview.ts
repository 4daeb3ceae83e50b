import type { Texts } from '../texts.ts';

export const overview: Texts['overview'] = {
  title: 'Übersicht',
  welcome: {
    title: 'Willkommen bei {{network}}',
    lead: 'Noch gibt es keine Ladestation. Fünf Schritte führen zum ersten Ladevorgang, ohne Hardware mit einer simulierten Ladestation.',
    noSession: 'Noch hat kein Ladevorgang stattgefunden.',
    begin: 'Mit den ersten fünf Minuten beginnen',
    continue: 'Weiter zum ersten Ladevorgang',
  },
  states: { label: 'Ladestationen nach Zustand', all: 'Ladestationen' },
  today: {
    label: 'Zahlen von heute',
    now: 'Leistung jetzt',
    running_one: '{{count}} laufender Ladevorgang',
    running_other: '{{count}} laufende Ladevorgänge',
    energy: 'Energie heute',
    revenue: 'Umsatz heute',
    revenueIn: 'Umsatz heute, {{currency}}',
    behind: 'Ladevorgänge von heute',
    sessions: 'Heute begonnene Ladevorgänge',
    lastWeek: '{{change}} gegenüber {{value}} zur selben Zeit vor einer Woche',
    lastWeekValue: '{{value}} zur selben Zeit vor einer Woche',
    lastWeekNothing: 'Vor einer Woche zur selben Zeit nichts',
    hours: '{{title}} nach Stunden, mit den Stunden vor einer Woche',
    zone: 'Tage in der Zeitzone {{zone}}. Balken: Stunden von heute. Striche: dieselben Stunden vor einer Woche.',
  },
  alerts: {
    title: 'Offene Meldungen',
    none: 'Keine offenen Meldungen.',
    severity: { warning: 'Warnung', critical: 'Kritisch' },
  },
  feed: {
    title: 'Ereignisse',
    nothing: 'Bisher ist nichts geschehen.',
    waiting_one: '{{count}} neues',
    waiting_other: '{{count}} neue',
    charger: 'Ladestation',
    session: 'Ladevorgang',
    types: {
      charger: {
        connected: 'Ladestation verbunden',
        disconnected: 'Ladestation getrennt',
        booted: 'Ladestation gestartet',
      },
      connector: { faulted: 'Anschluss gestört' },
      session: {
        started: 'Ladevorgang begonnen',
        stopped: 'Ladevorgang beendet',
        priced: 'Preis berechnet',
        under_review: 'Ladevorgang wird geprüft',
      },
      alert: { raised: 'Meldung entstanden', cleared: 'Meldung erledigt' },
      command: { completed: 'Befehl ausgeführt' },
    },
  },
};
