import { postalLines } from '#api/services/kernel/postal-address.ts';
import type { BilledSession } from '#api/services/money/bills.ts';
import { type Drawing, hairline, legible } from './drawing.ts';
import { duration } from './formats.ts';
import { ink } from './pdf-layout.ts';

const bandHeight = 10;
const logoBox = { width: 170, height: 48 };

/** Draws the seller, what the document is, and the buyer. */
export function drawHead(drawing: Drawing): void {
  const { layout, bill, labels, brand } = drawing;
  const half = layout.width / 2 - 10;
  const right = layout.left + layout.width / 2 + 10;
  layout.fill(0, 0, 595.28, bandHeight, brand);
  const seller = drawSeller(drawing, half);
  const kind = layout.put(labels.kinds[bill.kind], right, layout.y, half, {
    size: 17,
    bold: true,
    align: 'right',
  });
  const facts = layout.put(factLines(drawing).join('\n'), right, layout.y + kind + 4, half, {
    size: 8,
    align: 'right',
  });
  const buyer = drawBuyer(drawing, right, layout.y + kind + facts + 18, half);
  layout.y += Math.max(seller, kind + facts + 18 + buyer) + 22;
}

/** Draws the logo or the name of the network, and the seller. Returns their height. */
function drawSeller(drawing: Drawing, width: number): number {
  const { layout, bill, brand } = drawing;
  const { left, y } = layout;
  const logo = bill.logo === null ? 0 : layout.image(bill.logo, left, y, logoBox);
  const top = logo === 0 ? 0 : logo + 8;
  const style = { size: logo === 0 ? 17 : 10, bold: true, color: legible(brand) };
  const name = layout.put(bill.seller.name, left, y + top, width, style) + 4;
  const lines = sellerLines(drawing).join('\n');
  return top + name + layout.put(lines, left, y + top + name, width, { size: 8, color: ink.muted });
}

function sellerLines({ bill: { seller, language }, labels }: Drawing): string[] {
  const { postalAddress: street, postalCode, city, country } = seller;
  const address = postalLines({ street, postalCode, city, country }, language);
  return [
    seller.legalName === seller.name ? null : seller.legalName,
    address === '' ? null : address,
    seller.vatNumber === null ? null : `${labels.vatNumber}: ${seller.vatNumber}`,
    seller.website,
    seller.supportEmail,
    seller.supportPhone,
  ].filter((line) => line !== null);
}

function factLines({ bill, labels, formats }: Drawing): string[] {
  const { paymentStatus, sessions } = bill;
  const [session] = sessions;
  const facts: [string, string | null][] = [
    [labels.number, bill.number ?? labels.preview],
    [labels.date, formats.date(bill.issuedAt, bill.timeZone)],
    [labels.dueDate, isDueHere(bill) ? formats.day(bill.dueDate) : null],
    [labels.session, bill.kind === 'RECEIPT' ? (session?.uuid ?? null) : null],
    [labels.replaces, bill.replaces],
    [labels.onInvoice, bill.invoiceNumber],
    [labels.credits, bill.credits],
    [labels.creditedBy, paymentStatus.state === 'CREDITED' ? bill.creditedBy : null],
    [labels.reason, bill.reason],
  ];
  return facts.flatMap(([label, value]) => (value === null ? [] : [`${label}: ${value}`]));
}

/** Reports whether a bill itself asks for payment; the receipt of an invoiced session leaves that to the invoice. */
export function isDueHere({ paymentStatus, invoiceNumber }: Drawing['bill']): boolean {
  return paymentStatus.dueMinor > 0n && invoiceNumber === null;
}

/** Draws the buyer. Returns the height. */
function drawBuyer(
  { layout, bill: { buyer }, labels }: Drawing,
  x: number,
  y: number,
  width: number,
): number {
  if (buyer === null) return 0;
  const style = { size: 8, align: 'right' } as const;
  const label = layout.put(labels.billedTo, x, y, width, { ...style, color: ink.muted }) + 2;
  const name = layout.put(buyer.name, x, y + label, width, { ...style, size: 10, bold: true }) + 2;
  const vat = buyer.vatNumber === null ? null : `${labels.vatNumber}: ${buyer.vatNumber}`;
  const more = [buyer.postalAddress, vat, buyer.email].filter((line) => line !== null);
  return label + name + layout.put(more.join('\n'), x, y + label + name, width, style);
}

/** Draws where and when a session charged. */
export function drawSessionFacts({ layout, labels, formats }: Drawing, session: BilledSession): void {
  const place = [session.locationName, session.locationAddress].filter((part) => part !== null).join('\n');
  const facts: [string, string][] = [
    ...(place === '' ? [] : [[labels.location, place] as [string, string]]),
    [labels.charger, session.chargerUid],
    [labels.connector, connectorOf(session)],
    [labels.started, formats.time(session.startedAt, session.timeZone)],
    [labels.ended, formats.time(session.endedAt, session.timeZone)],
    [labels.duration, duration(session.endedAt.getTime() - session.startedAt.getTime())],
    [labels.energy, formats.energy(session.energyWh)],
    ...(session.idToken === null ? [] : [[labels.token, session.idToken] as [string, string]]),
  ];
  for (const [label, text] of facts) {
    layout.row([
      { text: label, width: 120, color: ink.muted },
      { text, width: layout.width - 120 },
    ]);
    layout.rule(hairline);
  }
  layout.y += 22;
}

/** Connectors by the names that drivers know; OCPI 2.2.1, section 8.4.5, has the others. */
const connectorNames: Record<string, string> = {
  CHADEMO: 'CHAdeMO',
  CHAOJI: 'ChaoJi',
  GBT_AC: 'GB/T AC',
  GBT_DC: 'GB/T DC',
  IEC_62196_T1: 'Type 1',
  IEC_62196_T1_COMBO: 'CCS 1',
  IEC_62196_T2: 'Type 2',
  IEC_62196_T2_COMBO: 'CCS 2',
  TESLA_S: 'Tesla',
};

/** Returns the number and the type of the connector of a session. */
export function connectorOf({ connectorNumber, connectorStandard }: BilledSession): string {
  if (connectorStandard === null) return `${connectorNumber}`;
  const name = connectorNames[connectorStandard] ?? connectorStandard.replaceAll('_', ' ');
  return `${connectorNumber} (${name})`;
}
