import type { Bill } from '#api/services/money/bills.ts';
import { drawHead, drawSessionFacts } from './bill-head.ts';
import { drawPayment } from './bill-payment.ts';
import { drawTable, drawTotals } from './bill-table.ts';
import type { Drawing } from './drawing.ts';
import { formatsOf } from './formats.ts';
import { labelsOf } from './labels/labels-of.ts';
import { ink, PdfLayout } from './pdf-layout.ts';

/** Draws a bill as a PDF: the same bill gives the same bytes. */
export async function drawBill(bill: Bill): Promise<Uint8Array> {
  const labels = labelsOf(bill.language);
  const { seller, language } = bill;
  const mark = bill.number === null ? labels.preview : null;
  const title = `${labels.kinds[bill.kind]} ${bill.number ?? labels.preview}`;
  const author = seller.legalName ?? seller.name;
  const layout = new PdfLayout({ title, author, language, createdAt: bill.issuedAt });
  const brand = bill.primaryColor ?? ink.text;
  const drawing = { layout, bill, labels, formats: formatsOf(language), brand };
  drawHead(drawing);
  if (bill.kind === 'RECEIPT') for (const session of bill.sessions) drawSessionFacts(drawing, session);
  drawTable(drawing);
  drawTotals(drawing);
  drawPayment(drawing);
  drawNotes(drawing);
  const who = [author, seller.vatNumber].filter((part) => part !== null).join(' · ');
  return layout.finish((page, pages) => ({ left: `${who} · ${title}`, right: `${page} / ${pages}` }), mark);
}

/** Draws why nothing is to pay, and what of the tariff could not be applied. */
function drawNotes({ layout, bill, labels }: Drawing): void {
  const notes = new Set(bill.sessions.flatMap(({ cost }) => cost.notes));
  const { state } = bill.paymentStatus;
  const texts = [
    ...(state === 'FREE' ? [labels.free] : []),
    ...(state === 'CREDITED' ? [bill.kind === 'CREDIT_NOTE' ? labels.creditNote : labels.credited] : []),
    ...(notes.has('ENERGY_SPREAD_EVENLY') ? [labels.estimatedSpread] : []),
    ...(notes.has('CURRENT_NOT_MEASURED') ? [labels.currentNotMeasured] : []),
  ];
  layout.y += 14;
  for (const text of texts) layout.row([{ text, width: layout.width, size: 7.5, color: ink.muted }]);
}
