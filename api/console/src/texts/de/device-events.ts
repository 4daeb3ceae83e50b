import type { Texts } from '../texts.ts';

export const deviceEvents: Texts['deviceEvents'] = {
  security: 'Sicherheitsereignisse',
  device: 'Geräteereignisse',
  empty: 'Es wurden keine Ereignisse gemeldet.',
  cleared: 'Behoben',
  columns: {
    time: 'Zeit',
    received: 'Empfangen',
    type: 'Art',
    details: 'Einzelheiten',
    component: 'Komponente',
    variable: 'Variable',
    value: 'Wert',
    trigger: 'Auslöser',
    cleared: 'Status',
  },
};
