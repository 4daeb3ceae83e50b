import type { Tariff } from '#shared/pricing/tariff.ts';

const restricted = (reservation: 'RESERVATION' | 'RESERVATION_EXPIRES', price: string) => ({
  price_components: [{ type: 'TIME' as const, price, vat: '20', step_size: 600 }],
  restrictions: { reservation },
});

/** 3.00 per hour of a reservation, 6.00 where it expires, in steps of ten minutes; 0.50 per session and 0.25 per kWh. */
export const reservationElements: Tariff['elements'] = [
  restricted('RESERVATION_EXPIRES', '6.00'),
  restricted('RESERVATION', '3.00'),
  {
    price_components: [
      { type: 'FLAT', price: '0.50', vat: '20', step_size: 1 },
      { type: 'ENERGY', price: '0.25', vat: '10', step_size: 1 },
    ],
  },
];
