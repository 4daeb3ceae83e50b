const twoDigits = (value: number) => String(value).padStart(2, '0');

/** Returns a time as the value of an input of type `datetime-local`, in the viewer's time zone. */
export function localInput(time: number): string {
  const date = new Date(time);
  const day = [date.getFullYear(), twoDigits(date.getMonth() + 1), twoDigits(date.getDate())].join('-');
  return `${day}T${twoDigits(date.getHours())}:${twoDigits(date.getMinutes())}`;
}

/** Returns the time of an input of type `datetime-local` (RFC 3339), or undefined when it is empty. */
export function instantOf(text: string): string | undefined {
  const time = new Date(text);
  return text === '' || Number.isNaN(time.getTime()) ? undefined : time.toISOString();
}

/** Returns the beginning of a day, the value of an input of type `date`, in the viewer's time zone (RFC 3339). */
export function dayStart(date: string | undefined): string | undefined {
  return dayAt(date, 0, 0);
}

/** Returns the last millisecond of a day. */
export function dayEnd(date: string | undefined): string | undefined {
  return dayAt(date, 1, -1);
}

/** Undefined for a text that is no date. */
function dayAt(date: string | undefined, days: number, ms: number): string | undefined {
  if (date === undefined || !/^\d{4}-\d{2}-\d{2}$/.test(date)) return undefined;
  const at = new Date(`${date}T00:00:00`);
  at.setDate(at.getDate() + days);
  return Number.isNaN(at.getTime()) ? undefined : new Date(at.getTime() + ms).toISOString();
}
