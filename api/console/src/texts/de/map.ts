import type { Texts } from '../texts.ts';

export const map: Texts['map'] = {
  title: 'Karte',
  label: 'Karte der Ladestationen',
  legend: 'Zustände',
  cluster: 'Gruppe von Standorten',
  chargers_one: '{{number}} Ladestation',
  chargers_other: '{{number}} Ladestationen',
  shown_one: '{{number}} Ladestation in diesem Ausschnitt',
  shown_other: '{{number}} Ladestationen in diesem Ausschnitt',
  withoutLocation: '{{number}} ohne Standort',
};
