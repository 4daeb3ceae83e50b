import type { Texts } from '../texts.ts';

export const deviceEvents: Texts['deviceEvents'] = {
  security: 'Beveiligingsgebeurtenissen',
  device: 'Apparaatgebeurtenissen',
  empty: 'Er zijn geen gebeurtenissen gemeld.',
  cleared: 'Opgelost',
  columns: {
    time: 'Tijd',
    received: 'Ontvangen',
    type: 'Soort',
    details: 'Details',
    component: 'Component',
    variable: 'Variabele',
    value: 'Waarde',
    trigger: 'Aanleiding',
    cleared: 'Status',
  },
};
