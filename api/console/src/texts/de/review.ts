import type { Texts } from '../texts.ts';

export const review: Texts['review'] = {
  title: 'Prüfliste',
  intro:
    'Preise, die durch Werte der Ladestation zweifelhaft sind. Vor einer Entscheidung wird nichts abgebucht.',
  list: 'Ladevorgänge in Prüfung',
  waiting_one: '{{count}} Ladevorgang wartet, {{amount}}',
  waiting_other: '{{count}} Ladevorgänge warten, {{amount}}',
  keys: 'j und k bewegen, a gibt frei, e berichtigt, o öffnet den Ladevorgang',
  empty: 'Nichts wartet. Jeder Preis ist abgerechnet.',
  open: 'Ladevorgang öffnen',
  reason: {
    'energy-implausible': 'Energie',
    'duration-implausible': 'Dauer',
    'energy-unmeasured': 'Nicht gemessen',
    'energy-from-power': 'Aus Leistung',
    'energy-estimated': 'Geschätzt',
    'energy-values-set-aside': 'Unlesbare Werte',
    'register-differs': 'Zählerstand weicht ab',
    'signature-invalid': 'Signatur',
    'partner-statement': 'Partner',
    'time-missing': 'Keine Zeit',
    'time-unreadable': 'Unlesbare Zeit',
    'time-past': 'Uhr geht nach',
    'time-future': 'Uhr geht vor',
  },
  column: {
    ended: 'Ende',
    charger: 'Ladestation',
    reasons: 'Gründe',
    energy: 'Gemeldet',
    plausible: 'Plausibel',
    price: 'Preis',
  },
  times: 'Das {{factor}}-Fache des plausiblen Maximums',
  register: 'Zähler',
};
