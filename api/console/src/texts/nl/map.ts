import type { Texts } from '../texts.ts';

export const map: Texts['map'] = {
  title: 'Kaart',
  label: 'Kaart van de laadpalen',
  legend: 'Statussen',
  cluster: 'Groep locaties',
  chargers_one: '{{number}} laadpaal',
  chargers_other: '{{number}} laadpalen',
  shown_one: '{{number}} laadpaal in dit deel van de kaart',
  shown_other: '{{number}} laadpalen in dit deel van de kaart',
  withoutLocation: '{{number}} zonder locatie',
};
