import type { Texts } from '../texts.ts';

export const map: Texts['map'] = {
  title: 'Kaart',
  label: 'Kaart van de laadpalen',
  legend: 'Statussen',
  cluster: 'Groep locaties',
  chargers_one: '{{count}} laadpaal',
  chargers_other: '{{count}} laadpalen',
  shown_one: '{{number}} laadpaal in dit deel van de kaart',
  shown_other: '{{number}} laadpalen in dit deel van de kaart',
  withoutLocation: '{{number}} zonder locatie',
};
