import type { Bill } from '#api/services/money/bills.ts';
import type { Formats } from './formats.ts';
import type { Labels } from './labels/labels.ts';
import { ink, type PdfLayout } from './pdf-layout.ts';

/** Context in which the parts of a bill are drawn. */
export interface Drawing {
  layout: PdfLayout;
  bill: Bill;
  labels: Labels;
  formats: Formats;
  /** Color of the network. */
  brand: string;
}

/** Color of the lines between rows. */
export const hairline = '#e5e7eb';

/** Returns a color that can be read on white, and white on it: the given one, or that of text (WCAG 2.2, 1.4.3: 4.5 to 1). */
export function legible(color: string): string {
  const channels = [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16) / 255);
  const [red = 0, green = 0, blue = 0] = channels.map((value) =>
    value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4,
  );
  const luminance = 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  return 1.05 / (luminance + 0.05) >= 4.5 ? color : ink.text;
}
