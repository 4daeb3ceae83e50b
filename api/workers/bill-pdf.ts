import type { Bill, BilledSession } from '#api/services/bills.ts';
import { type CostLine, vatTotals } from '#shared/pricing/cost.ts';
import { duration, type Formats, formatsOf } from './formats.ts';
import { type Cell, ink, Paper } from './paper.ts';
import { type Words, wordsOf, writtenIn } from './words.ts';

/** What the parts of a bill are drawn with. */
interface Drawing {
  paper: Paper;
  bill: Bill;
  words: Words;
  formats: Formats;
  /** The color of the network. */
  brand: string;
}

/** Draws a bill as a PDF: the same bill gives the same bytes. */
export async function drawBill(bill: Bill): Promise<Uint8Array> {
  const language = writtenIn(bill.language);
  const words = wordsOf(language);
  const { seller } = bill;
  const title = `${words.kinds[bill.kind]} ${bill.number}`;
  const paper = new Paper({
    title,
    author: seller.legalName ?? seller.name,
    language,
    createdAt: bill.issuedAt,
  });
  const brand = bill.primaryColor ?? ink.text;
  const drawing = { paper, bill, words, formats: formatsOf(language), brand };
  drawHead(drawing);
  if (bill.kind === 'RECEIPT') for (const session of bill.sessions) drawFacts(drawing, session);
  drawTable(drawing);
  drawTotals(drawing);
  drawNotes(drawing);
  const who = [seller.legalName ?? seller.name, seller.vatNumber].filter((part) => part !== null).join(' · ');
  return paper.finish((page, pages) => ({ left: `${who} · ${title}`, right: `${page} / ${pages}` }));
}

/** Who sells, what this is, and whom it is for. */
function drawHead({ paper, bill, words, formats, brand }: Drawing): void {
  const { seller, buyer } = bill;
  const half = paper.width / 2 - 10;
  const right = paper.left + paper.width / 2 + 10;
  paper.fill(0, 0, 595.28, 10, brand);
  const name = paper.put(seller.name, paper.left, paper.y, half, {
    size: 17,
    bold: true,
    color: legible(brand),
  });
  const contact = paper.put(sellerLines(bill, words).join('\n'), paper.left, paper.y + name + 4, half, {
    size: 8,
    color: ink.muted,
  });
  const kind = paper.put(words.kinds[bill.kind], right, paper.y, half, {
    size: 17,
    bold: true,
    align: 'right',
  });
  const facts = [
    `${bill.kind === 'RECEIPT' ? words.session : words.number}: ${bill.number}`,
    `${words.date}: ${formats.date(bill.issuedAt, bill.timeZone)}`,
    ...(bill.credits === null ? [] : [`${words.credits}: ${bill.credits}`]),
    ...(bill.reason === null ? [] : [`${words.reason}: ${bill.reason}`]),
  ];
  const said = paper.put(facts.join('\n'), right, paper.y + kind + 4, half, { size: 8, align: 'right' });
  paper.y += Math.max(name + contact, kind + said) + 22;
  if (buyer === null) return;
  paper.y += paper.put(words.billedTo, paper.left, paper.y, half, { size: 8, color: ink.muted }) + 2;
  paper.y += paper.put(buyer.name, paper.left, paper.y, half, { size: 10, bold: true });
  const vat = buyer.vatNumber === null ? null : `${words.vatNumber}: ${buyer.vatNumber}`;
  const more = [buyer.postalAddress, vat, buyer.email].filter((line) => line !== null);
  if (more.length > 0) paper.y += paper.put(more.join('\n'), paper.left, paper.y, half, { size: 8 });
  paper.y += 20;
}

function sellerLines({ seller }: Bill, words: Words): string[] {
  return [
    seller.legalName === seller.name ? null : seller.legalName,
    seller.postalAddress,
    seller.vatNumber === null ? null : `${words.vatNumber}: ${seller.vatNumber}`,
    seller.website,
    seller.supportEmail,
    seller.supportPhone,
  ].filter((line) => line !== null);
}

/** What was charged, where and when. */
function drawFacts({ paper, words, formats }: Drawing, session: BilledSession): void {
  const place = [session.locationName, session.locationAddress].filter((part) => part !== null).join('\n');
  const facts: [string, string][] = [
    ...(place === '' ? [] : [[words.location, place] as [string, string]]),
    [words.charger, session.chargerUid],
    [words.connector, connectorOf(session)],
    [words.started, formats.time(session.startedAt, session.timeZone)],
    [words.ended, formats.time(session.endedAt, session.timeZone)],
    [words.duration, duration(session.endedAt.getTime() - session.startedAt.getTime())],
    [words.energy, formats.energy(session.energyWh)],
    ...(session.idToken === null ? [] : [[words.token, session.idToken] as [string, string]]),
  ];
  for (const [label, text] of facts) {
    paper.row([
      { text: label, width: 120, color: ink.muted },
      { text, width: paper.width - 120 },
    ]);
    paper.rule('#e5e7eb');
  }
  paper.y += 22;
}

/** Connectors by the names that drivers know; OCPI 2.2.1 §8.4.5 has the others. */
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

function connectorOf({ connectorNumber, connectorStandard }: BilledSession): string {
  if (connectorStandard === null) return `${connectorNumber}`;
  const name = connectorNames[connectorStandard] ?? connectorStandard.replaceAll('_', ' ');
  return `${connectorNumber} (${name})`;
}

/** The columns of the table: their widths add up to that of the paper. */
function columns(paper: Paper, texts: readonly string[], style: Partial<Cell> = {}): Cell[] {
  const numbers = [92, 86, 56, 86];
  const first = paper.width - numbers.reduce((sum, width) => sum + width, 0);
  return [first, ...numbers].map((width, index) => ({
    ...style,
    text: texts[index] ?? '',
    width,
    ...(index > 0 && { align: 'right' as const }),
  }));
}

/** What each session, and each part of its price, comes to. */
function drawTable({ paper, bill, words, formats, brand }: Drawing): void {
  const head = () => {
    const { description, quantity, unitPrice, vat, amount } = words;
    const style = { size: 8, bold: true, color: '#ffffff' };
    paper.row(columns(paper, [description, quantity, unitPrice, vat, amount], style), {
      shade: legible(brand),
    });
  };
  // No head stands alone at the foot of a page.
  paper.room(80);
  head();
  paper.atTop(head);
  for (const session of bill.sessions) {
    if (bill.kind !== 'RECEIPT') drawSessionHead({ paper, words, formats }, session);
    for (const line of session.cost.lines) {
      paper.row(columns(paper, lineTexts(line, bill.currency, words, formats)));
      paper.rule('#e5e7eb');
    }
  }
  paper.atTop(() => undefined);
}

function drawSessionHead(
  { paper, words, formats }: Pick<Drawing, 'paper' | 'words' | 'formats'>,
  session: BilledSession,
): void {
  const { startedAt, endedAt, timeZone } = session;
  const where = [session.locationName, session.chargerUid].filter((part) => part !== null).join(' · ');
  const when = `${formats.time(startedAt, timeZone)} – ${formats.time(endedAt, timeZone)}`;
  const text = `${where} · ${words.connector} ${connectorOf(session)}\n${when} · ${formats.energy(session.energyWh)}\n${words.session} ${session.uuid}`;
  paper.room(80);
  paper.row([{ text, width: paper.width, size: 7.5 }], { shade: ink.shade });
}

function lineTexts(line: CostLine, currency: string, words: Words, formats: Formats): string[] {
  return [
    words.lines[line.type],
    formats.quantity(line),
    line.unitPrice === null ? '' : formats.price(line.unitPrice, currency),
    line.vatPercent === null ? '' : formats.percent(line.vatPercent),
    formats.money(line.exclVatMinor, currency),
  ];
}

/** The sum without VAT, the VAT of each rate, and the sum with it. */
function drawTotals({ paper, bill, words, formats, brand }: Drawing): void {
  const money = (minor: bigint) => formats.money(minor, bill.currency);
  const rates = vatTotals(bill.sessions.flatMap(({ cost }) => cost.lines));
  const width = 300;
  const x = paper.left + paper.width - width;
  const line = (text: string, amount: bigint, style: Partial<Cell> = {}) =>
    paper.row(
      [
        { ...style, text, width: width - 110, align: 'right' },
        { ...style, text: money(amount), width: 110, align: 'right' },
      ],
      { x },
    );
  // They stay together.
  paper.room(60 + 20 * rates.length);
  paper.y += 8;
  line(words.subtotal, bill.totalExclVatMinor);
  for (const { vatPercent, exclVatMinor, vatMinor } of rates) {
    const isFree = vatPercent === null && vatMinor === 0n;
    const rate = vatPercent === null ? words.vat : `${words.vat} ${formats.percent(vatPercent)}`;
    line(`${isFree ? words.noVat : rate} ${words.on} ${money(exclVatMinor)}`, vatMinor, { color: ink.muted });
  }
  paper.y += 2;
  paper.rule(legible(brand), paper.width - width);
  paper.y += 2;
  line(words.total, bill.totalInclVatMinor, { bold: true, size: 12 });
}

/** What of the tariff could not be applied. */
function drawNotes({ paper, bill, words }: Drawing): void {
  const notes = new Set(bill.sessions.flatMap(({ cost }) => cost.notes));
  const texts = [
    ...(notes.has('ENERGY_SPREAD_EVENLY') ? [words.estimatedSpread] : []),
    ...(notes.has('CURRENT_NOT_MEASURED') ? [words.currentNotMeasured] : []),
  ];
  paper.y += 14;
  for (const text of texts) paper.row([{ text, width: paper.width, size: 7.5, color: ink.muted }]);
}

/** A color that can be read on white, and white on it: itself, or the color of text (WCAG 2.2 §1.4.3, 4.5 to 1). */
function legible(color: string): string {
  const channels = [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16) / 255);
  const [red = 0, green = 0, blue = 0] = channels.map((value) =>
    value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4,
  );
  const luminance = 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  return 1.05 / (luminance + 0.05) >= 4.5 ? color : ink.text;
}
