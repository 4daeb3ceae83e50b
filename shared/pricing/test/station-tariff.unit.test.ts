import t from 'tap';
import { stationTariffId, toStationTariff } from '#shared/pricing/station-tariff.ts';
import type { PriceComponent, Tariff, TariffElement } from '#shared/pricing/tariff.ts';
import { validateRequest } from '#shared/ocpp/validators.ts';

const base = { uuid: '018f6b7e-5d8e-7c1f-9a51-3b7f4b6f0d11', name: 'T', currency: 'EUR', version: 3 };
const id = stationTariffId(base, 2);
const part = (type: PriceComponent['type'], price: string, rest: Partial<PriceComponent> = {}) => ({
  type,
  price,
  vat: '21',
  step_size: 1,
  ...rest,
});
const tariff = (elements: TariffElement[], rest: Partial<Tariff> = {}): Tariff => ({
  ...base,
  elements,
  ...rest,
});
const taxRates = [{ type: 'VAT', tax: 21 }];

void t.test('converts a tariff for a station', async (t) => {
  t.equal(id, `${base.uuid}:3:2`);
  const result = toStationTariff(
    tariff(
      [
        {
          price_components: [part('ENERGY', '0.30'), part('TIME', '1.20')],
          restrictions: {
            start_time: '22:00',
            end_time: '06:00',
            day_of_week: ['MONDAY', 'SUNDAY'],
            start_date: '2026-01-01',
            min_kwh: 0.5,
            max_power: 11,
            min_current: 6,
            max_duration: 3600,
          },
        },
        { price_components: [part('ENERGY', '0.40'), part('FLAT', '1.00', { step_size: 100 })] },
        { price_components: [part('TIME', '3')], restrictions: { reservation: 'RESERVATION' } },
        { price_components: [part('FLAT', '9')], restrictions: { reservation: 'RESERVATION_EXPIRES' } },
      ],
      {
        idle: { price_per_minute: '0.10', grace_minutes: 15 },
        min_price: { excl_vat: '0.50' },
        max_price: { excl_vat: '50', incl_vat: '60.5' },
      },
    ),
    id,
  );
  const conditions = {
    startTimeOfDay: '22:00',
    endTimeOfDay: '06:00',
    dayOfWeek: ['Monday', 'Sunday'],
    validFromDate: '2026-01-01',
    minEnergy: 500,
    minCurrent: 6,
    maxPower: 11_000,
    maxTime: 3600,
  };
  const wire = {
    tariffId: id,
    currency: 'EUR',
    energy: { prices: [{ priceKwh: 0.3, conditions }, { priceKwh: 0.4 }], taxRates },
    chargingTime: { prices: [{ priceMinute: 0.02, conditions }], taxRates },
    idleTime: { prices: [{ priceMinute: 0.1, conditions: { minIdleTime: 900 } }] },
    fixedFee: { prices: [{ priceFixed: 1 }], taxRates },
    reservationTime: { prices: [{ priceMinute: 0.05 }], taxRates },
    minCost: { exclTax: 0.5 },
    maxCost: { exclTax: 50, inclTax: 60.5 },
  };
  t.same(result, { kind: 'tariff', tariff: wire });
  t.equal(validateRequest('2.1', 'SetDefaultTariff', { evseId: 2, tariff: wire }), null);
});

void t.test('converts parking time, and a tariff without tax', async (t) => {
  const untaxed = { type: 'PARKING_TIME', price: '6', step_size: 1 } as const;
  t.same(toStationTariff(tariff([{ price_components: [untaxed] }]), id), {
    kind: 'tariff',
    tariff: { tariffId: id, currency: 'EUR', idleTime: { prices: [{ priceMinute: 0.1 }] } },
  });
});

void t.test('names the reason why a station cannot calculate by a tariff', async (t) => {
  const rows = [
    ['STEP_SIZE', tariff([{ price_components: [part('TIME', '1', { step_size: 300 })] }])],
    [
      'SEVERAL_TAXES',
      tariff([{ price_components: [part('ENERGY', '1'), part('ENERGY', '2', { vat: '9' })] }]),
    ],
    ['CONDITION_OF_FEE', tariff([{ price_components: [part('FLAT', '1')], restrictions: { min_kwh: 1 } }])],
    [
      'TWO_IDLE_PRICES',
      tariff([{ price_components: [part('PARKING_TIME', '1')] }], {
        idle: { price_per_minute: '1', grace_minutes: 0 },
      }),
    ],
  ] as const;
  for (const [obstacle, from] of rows)
    t.same(toStationTariff(from, id), { kind: 'obstacle', obstacle }, obstacle);
});
