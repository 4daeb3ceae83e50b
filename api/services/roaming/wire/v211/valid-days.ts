import type { ShownElement } from '#api/services/money/tariff-terms.ts';
import type { OcpiTariff } from '#api/services/roaming/tariffs.service.ts';
import { addDays, localDate } from '#shared/domain/kernel/calendar.ts';

type Element = Pick<ShownElement, 'price_components' | 'restrictions'>;

/**
 * Returns the elements of a tariff with the time of its validity as dates, since 2.1.1 has only times of validity of elements, and
 * no finer ones. The first and the last day count as a whole, but a tariff that has ended is not valid on the day of its end. An
 * element without a valid day is left out; of an ended tariff it stays, because the partner learns the end from it.
 */
export function onValidDays(
  elements: readonly Element[],
  tariff: Pick<OcpiTariff, 'startsAt' | 'endsAt' | 'endedAt' | 'timeZone'>,
): Element[] {
  const { start, end } = daysOf(tariff);
  if (start === undefined && end === undefined) return [...elements];
  return elements.flatMap(({ restrictions, ...element }) => {
    const first = latest(start, restrictions?.start_date);
    const last = earliest(end, restrictions?.end_date);
    const isEmpty = first !== undefined && last !== undefined && first >= last;
    if (isEmpty && tariff.endedAt === null) return [];
    const { start_date: _, end_date: __, ...others } = restrictions ?? {};
    const dates = {
      ...(first !== undefined && !isEmpty && { start_date: first }),
      ...(last !== undefined && { end_date: last }),
    };
    return [{ ...element, restrictions: { ...others, ...dates } }];
  });
}

/** Returns the first local day on which a tariff is valid, and the first on which it is not any more. */
function daysOf({ startsAt, endsAt, endedAt, timeZone }: Parameters<typeof onValidDays>[1]) {
  const start = startsAt === null ? undefined : localDate(startsAt.getTime(), timeZone);
  if (endsAt === null) return { start, end: undefined };
  const end =
    endedAt === null
      ? addDays(localDate(endsAt.getTime() - 1, timeZone), 1)
      : localDate(endsAt.getTime(), timeZone);
  return { start, end };
}

function latest(one: string | undefined, other: string | undefined): string | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return one > other ? one : other;
}

function earliest(one: string | undefined, other: string | undefined): string | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return one < other ? one : other;
}
