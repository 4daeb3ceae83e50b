import type { BilledSession } from '#api/services/money/bills.ts';
import type { SignatureState } from '#shared/domain/charging/signed-meter-value.ts';
import { type CostLine, vatTotals } from '#shared/pricing/cost.ts';
import { connectorOf } from './bill-head.ts';
import { type Drawing, hairline, legible } from './drawing.ts';
import { type Cell, ink, type PdfLayout } from './pdf-layout.ts';

/** Returns the cells of a row of the table; their widths add up to that of the layout. */
function columns(layout: PdfLayout, texts: readonly string[], style: Partial<Cell> = {}): Cell[] {
  const numbers = [82, 98, 52, 86];
  const first = layout.width - numbers.reduce((sum, width) => sum + width, 0);
  return [first, ...numbers].map((width, index) => ({
    ...style,
    text: texts[index] ?? '',
    width,
    ...(index > 0 && { align: 'right' as const }),
  }));
}

/** Draws what each session, and each part of its price, comes to. */
export function drawTable(drawing: Drawing): void {
  const { layout, bill, labels, brand } = drawing;
  const head = () => {
    const { description, quantity, unitPrice, vat, amount } = labels;
    const style = { size: 8, bold: true, color: '#ffffff' };
    layout.row(columns(layout, [description, quantity, unitPrice, vat, amount], style), {
      shade: legible(brand),
    });
  };
  // No head is by itself at the foot of a page.
  layout.room(80);
  head();
  layout.atTop(head);
  for (const session of bill.sessions) {
    if (bill.kind !== 'RECEIPT') drawSessionHead(drawing, session);
    drawLines(drawing, session);
    if (bill.sessions.length > 1) drawSessionTotal(drawing, session);
  }
  layout.atTop(() => undefined);
  drawSignatures(drawing);
}

function drawSessionHead({ layout, labels, formats }: Drawing, session: BilledSession): void {
  const { startedAt, endedAt, timeZone } = session;
  const where = [session.locationName, session.chargerUid].filter((part) => part !== null).join(' · ');
  const when = `${formats.time(startedAt, timeZone)} – ${formats.time(endedAt, timeZone)}`;
  const text = [
    `${where} · ${labels.connector} ${connectorOf(session)}`,
    `${when} · ${formats.energy(session.energyWh)}`,
    `${labels.session} ${session.uuid}`,
  ].join('\n');
  layout.room(80);
  layout.row([{ text, width: layout.width, size: 7.5 }], { shade: ink.shade });
}

function drawLines(drawing: Drawing, session: BilledSession): void {
  const { layout } = drawing;
  const rounded = roundedEnergy(drawing, session);
  const last = session.cost.lines.findLast(({ type }) => type === 'ENERGY');
  for (const line of session.cost.lines) {
    layout.row(columns(layout, lineTexts(drawing, line)));
    if (line === last && rounded !== null) {
      layout.row([{ text: rounded, width: layout.width, size: 7.5, color: ink.muted }]);
    }
    layout.rule(hairline);
  }
}

function lineTexts({ bill: { currency }, labels, formats }: Drawing, line: CostLine): string[] {
  return [
    labels.lines[line.type],
    formats.quantity(line),
    formats.unitPrice(line, currency),
    line.vatPercent === null ? '' : formats.percent(line.vatPercent),
    formats.money(line.exclVatMinor, currency),
  ];
}

/** Explains billed energy that the tariff's step_size rounded up; null where it did not. */
function roundedEnergy({ labels, formats }: Drawing, { energyWh, cost }: BilledSession): string | null {
  const billedKwh = cost.lines
    .filter(({ type }) => type === 'ENERGY')
    .reduce((sum, { quantity }) => sum + Math.abs(quantity), 0);
  // Less than a watt-hour is the rounding of the meter, not of the tariff.
  if (billedKwh * 1000 - energyWh < 1) return null;
  return labels.roundedEnergy(formats.energy(energyWh), formats.energy(billedKwh * 1000));
}

/** Draws the state of the signed meter values, where there are any. */
function drawSignatures({ layout, bill: { signatureState, isSignedEnergyBilled }, labels }: Drawing): void {
  if (signatureState === 'NONE') return;
  const { verified, otherEnergy, invalid, unverified } = labels.signatures;
  const known = { VERIFIED: isSignedEnergyBilled ? verified : otherEnergy, INVALID: invalid } as Partial<
    Record<SignatureState, string>
  >;
  const text = known[signatureState] ?? unverified;
  layout.row([{ text, width: layout.width, size: 7.5, color: ink.muted }]);
}

function drawSessionTotal({ layout, bill, labels, formats }: Drawing, { cost }: BilledSession): void {
  const money = (minor: bigint) => formats.money(minor, bill.currency);
  const text = `${labels.sessionTotal} (${labels.inclVat} ${money(cost.totalInclVatMinor)})`;
  const style = { size: 8, bold: true };
  layout.row([
    { ...style, text, width: layout.width - 100 },
    { ...style, text: money(cost.totalExclVatMinor), width: 100, align: 'right' },
  ]);
  layout.rule(ink.line);
  layout.y += 4;
}

/** Draws the sum without VAT, the VAT of each rate, and the sum with it. */
export function drawTotals({ layout, bill, labels, formats, brand }: Drawing): void {
  const money = (minor: bigint) => formats.money(minor, bill.currency);
  const rates = vatTotals(bill.sessions.flatMap(({ cost }) => cost.lines));
  // The totals stay together.
  layout.room(60 + 20 * rates.length);
  layout.y += 8;
  layout.sum(labels.subtotal, money(bill.totalExclVatMinor));
  for (const { vatPercent, exclVatMinor, vatMinor } of rates) {
    const isFree = vatPercent === null && vatMinor === 0n;
    const rate = vatPercent === null ? labels.vat : `${labels.vat} ${formats.percent(vatPercent)}`;
    const text = `${isFree ? labels.noVat : rate} ${labels.on} ${money(exclVatMinor)}`;
    layout.sum(text, money(vatMinor), { color: ink.muted });
  }
  layout.y += 2;
  layout.rule(legible(brand), layout.width - layout.sumWidth);
  layout.y += 2;
  layout.sum(labels.total, money(bill.totalInclVatMinor), { bold: true, size: 12 });
}
