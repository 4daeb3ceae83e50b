/** Times as every charger reads them: UTC with `Z` (some refuse an offset, field note 17). */
export function wireTime(time: Date): string {
  return time.toISOString();
}
