import type { Payment } from '#api/services/money/payment-status.ts';
import { printedIban } from '#shared/domain/money/iban.ts';
import { isDueHere } from './bill-head.ts';
import { type Drawing, legible } from './drawing.ts';
import { ink } from './pdf-layout.ts';

/** Draws what was paid, how and when, and what is due, by when and to which account. */
export function drawPayment(drawing: Drawing): void {
  const { layout, bill, labels, formats, brand } = drawing;
  const { paymentStatus, currency } = bill;
  const money = (minor: bigint) => formats.money(minor, currency);
  if (paymentStatus.state === 'DUE' || paymentStatus.state === 'PAID') {
    const groups = [...Map.groupBy(paymentStatus.payments, methodOf).values()];
    layout.room(40 + 20 * groups.length);
    for (const group of groups) {
      layout.sum(groupText(drawing, group), money(-sum(group)), { color: ink.muted });
    }
    layout.y += 2;
    layout.rule(legible(brand), layout.width - layout.sumWidth);
    layout.y += 2;
    layout.sum(labels.amountDue, money(paymentStatus.dueMinor), { bold: true, size: 12 });
  }
  if (isDueHere(bill)) drawAccount(drawing);
}

function methodOf({ method, provider, amountMinor }: Payment): string {
  return [method, provider, amountMinor < 0n].join();
}

function groupText({ bill, labels, formats }: Drawing, payments: readonly Payment[]): string {
  const [first] = payments;
  if (first === undefined) return '';
  const { method, provider } = first;
  const texts = {
    WALLET: first.amountMinor < 0n ? labels.returned : labels.wallet,
    TOP_UP: provider === null ? labels.topUp : `${labels.topUp} (${nameOf(provider)})`,
    ROAMING: `${labels.roaming} ${provider ?? ''}`,
  };
  const days = payments.flatMap(({ paidAt }) =>
    paidAt === null ? [] : [formats.date(paidAt, bill.timeZone)],
  );
  const [begin = '', end = begin] = [days.at(0), days.at(-1)];
  const when = begin === end ? begin : `${begin} – ${end}`;
  return when === '' ? texts[method] : `${texts[method]}, ${when}`;
}

/** Payment providers are stored in lower case. */
function nameOf(provider: string): string {
  return provider.slice(0, 1).toUpperCase() + provider.slice(1);
}

function sum(payments: readonly Payment[]): bigint {
  return payments.reduce((total, { amountMinor }) => total + amountMinor, 0n);
}

/** Draws by when, to which account and with which reference the amount due is paid. */
function drawAccount({ layout, bill, labels, formats }: Drawing): void {
  const { seller } = bill;
  if (seller.iban === null && seller.bankAccount === null) return;
  const rows: [string, string | null][] = [
    [labels.dueDate, formats.day(bill.dueDate)],
    [labels.payTo, seller.legalName ?? seller.name],
    ['IBAN', seller.iban === null ? null : printedIban(seller.iban)],
    ['BIC', seller.bic],
    [labels.account, seller.bankAccount],
    [labels.reference, bill.number],
  ];
  const shown = rows.flatMap(([label, text]) => (text === null ? [] : [{ label, text }]));
  layout.y += 10;
  layout.room(14 * shown.length);
  for (const { label, text } of shown) {
    layout.row(
      [
        { text: label, width: 140, size: 8, color: ink.muted },
        { text, width: layout.width - 140, size: 8 },
      ],
      { shade: ink.shade, padding: 2 },
    );
  }
}
