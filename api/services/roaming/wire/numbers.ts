/** OCPI's numbers have four decimals (2.2.1 §17.4). */
export const rounded = (value: number) => Math.round(value * 10_000) / 10_000;

export const kwh = (wh: number) => rounded(wh / 1000);
export const hours = (seconds: number) => rounded(seconds / 3600);

/** Amount in major units (§17.5, Price). */
export interface Price {
  excl_vat: number;
  incl_vat: number;
}
