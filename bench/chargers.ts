import type { Product } from './product.ts';

/** A charger that the bench registered. */
export interface RegisteredCharger {
  uid: string;
  password: string;
}

/** Requests to the API that are under way at once. */
const atOnce = 16;

/** Registers chargers through the operator API. */
export async function registerChargers(product: Product, count: number): Promise<RegisteredCharger[]> {
  const chargers: RegisteredCharger[] = [];
  let next = 0;
  const register = async (): Promise<void> => {
    while (next < count) {
      next += 1;
      const uid = `BENCH-${String(next).padStart(6, '0')}`;
      const response = await fetch(`${product.apiUrl}/cpms/v1/chargers`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-api-key': product.operatorKey },
        body: JSON.stringify({ serial: uid }),
      });
      if (response.status !== 201) throw new Error(`a charger was not registered: ${await response.text()}`);
      const { data } = (await response.json()) as { data: { ocppPassword: string } };
      chargers.push({ uid, password: data.ocppPassword });
    }
  };
  await Promise.all(Array.from({ length: atOnce }, register));
  return chargers;
}
