/** Formats a time as UTC with `Z`: some chargers refuse an offset (field note 17). */
export function wireTime(time: Date): string {
  return time.toISOString();
}
