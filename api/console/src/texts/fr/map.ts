import type { Texts } from '../texts.ts';

export const map: Texts['map'] = {
  title: 'Carte',
  label: 'Carte des bornes',
  legend: 'États',
  cluster: 'Groupe de sites',
  chargers_one: '{{count}} borne',
  chargers_other: '{{count}} bornes',
  shown_one: '{{number}} borne dans cette zone',
  shown_other: '{{number}} bornes dans cette zone',
  withoutLocation: '{{number}} sans site',
};
