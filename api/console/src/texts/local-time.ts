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
