import type { Texts } from '../texts.ts';

export const map: Texts['map'] = {
  title: 'Carte',
  label: 'Carte des bornes',
  legend: 'États',
  cluster: 'Groupe de sites',
  chargers_one: '{{number}} borne',
  chargers_other: '{{number}} bornes',
  shown_one: '{{number}} borne dans cette zone',
  shown_other: '{{number}} bornes dans cette zone',
  withoutLocation: '{{number}} sans site',
};
