import type { Bill } from '#api/services/money/bills.ts';
import { drawHead, drawSessionFacts } from './bill-head.ts';
import { drawPayment } from './bill-payment.ts';
import { drawTable, drawTotals } from './bill-table.ts';
import type { Drawing } from './drawing.ts';
import { formatsOf } from './formats.ts';
import { labelsOf } from './labels/labels-of.ts';
import { ink, Paper } from './paper.ts';

/** Draws a bill as a PDF: the same bill gives the same bytes. */
export async function drawBill(bill: Bill): Promise<Uint8Array> {
  const labels = labelsOf(bill.language);
  const { seller, language } = bill;
  const title = `${labels.kinds[bill.kind]} ${bill.number}`;
  const author = seller.legalName ?? seller.name;
  const paper = new Paper({ title, author, language, createdAt: bill.issuedAt });
  const brand = bill.primaryColor ?? ink.text;
  const drawing = { paper, bill, labels, formats: formatsOf(language), brand };
  drawHead(drawing);
  if (bill.kind === 'RECEIPT') for (const session of bill.sessions) drawSessionFacts(drawing, session);
  drawTable(drawing);
  drawTotals(drawing);
  drawPayment(drawing);
  drawNotes(drawing);
  const who = [author, seller.vatNumber].filter((part) => part !== null).join(' · ');
  return paper.finish((page, pages) => ({ left: `${who} · ${title}`, right: `${page} / ${pages}` }));
}

/** Draws why nothing is to pay, and what of the tariff could not be applied. */
function drawNotes({ paper, bill, labels }: Drawing): void {
  const notes = new Set(bill.sessions.flatMap(({ cost }) => cost.notes));
  const { state } = bill.settlement;
  const texts = [
    ...(state === 'FREE' ? [labels.free] : []),
    ...(state === 'CREDITED' ? [bill.kind === 'CREDIT_NOTE' ? labels.creditNote : labels.credited] : []),
    ...(notes.has('ENERGY_SPREAD_EVENLY') ? [labels.estimatedSpread] : []),
    ...(notes.has('CURRENT_NOT_MEASURED') ? [labels.currentNotMeasured] : []),
  ];
  paper.y += 14;
  for (const text of texts) paper.row([{ text, width: paper.width, size: 7.5, color: ink.muted }]);
}
