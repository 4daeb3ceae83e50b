import type { en } from '../../../texts/english.ts';
import { type Condition, type ConditionFields, noConditions } from './conditions.ts';
import type { ComponentFields, Draft } from './draft.ts';

/** Prices that a new tariff can begin with. Its title is the text `tariffEditor:template.<id>`. */
export interface TariffTemplate {
  id: Exclude<keyof (typeof en)['tariffEditor']['template'], 'title' | 'hint'>;
  prices: Pick<Draft, 'elements' | 'idle' | 'minimum' | 'maximum'>;
}

const component = (type: ComponentFields['type'], price: string): ComponentFields => ({
  type,
  price,
  vat: '',
  step: '1',
});

const condition = (name: Condition, values: ConditionFields['values']): ConditionFields => ({
  shown: [name],
  values,
  days: [],
});

const wholeSession = { idle: null, minimum: null, maximum: null };

/** Templates in their order. Prices are usual ones, to be changed. */
export const tariffTemplates: readonly TariffTemplate[] = [
  {
    id: 'energy',
    prices: {
      ...wholeSession,
      elements: [{ id: 0, components: [component('ENERGY', '0.49')], conditions: noConditions }],
    },
  },
  {
    id: 'dayAndNight',
    prices: {
      ...wholeSession,
      elements: [
        {
          id: 0,
          components: [component('ENERGY', '0.29')],
          conditions: condition('time', { start_time: '22:00', end_time: '06:00' }),
        },
        { id: 1, components: [component('ENERGY', '0.49')], conditions: noConditions },
      ],
    },
  },
  {
    id: 'freeMinutes',
    prices: {
      ...wholeSession,
      elements: [
        {
          id: 0,
          components: [component('TIME', '0')],
          conditions: condition('duration', { max_duration: '30' }),
        },
        { id: 1, components: [component('TIME', '3')], conditions: noConditions },
      ],
    },
  },
  {
    id: 'idleFee',
    prices: {
      ...wholeSession,
      elements: [{ id: 0, components: [component('ENERGY', '0.49')], conditions: noConditions }],
      idle: { price: '0.10', grace: '15', vat: '' },
    },
  },
];
