import type { Bill } from '#api/services/money/bills.ts';
import type { CostLine } from '#shared/pricing/cost.ts';

/** Texts of receipts and invoices in one language. */
export interface Labels {
  kinds: Record<Bill['kind'], string>;
  lines: Record<CostLine['type'], string>;
  number: string;
  /** Stands on a receipt that has no number, in its place and across each page. */
  preview: string;
  session: string;
  date: string;
  credits: string;
  creditedBy: string;
  replaces: string;
  onInvoice: string;
  dueDate: string;
  reason: string;
  billedTo: string;
  vatNumber: string;
  location: string;
  charger: string;
  connector: string;
  token: string;
  started: string;
  ended: string;
  duration: string;
  energy: string;
  description: string;
  quantity: string;
  unitPrice: string;
  vat: string;
  noVat: string;
  /** Stands between a rate of VAT and the amount that it applies to. */
  on: string;
  amount: string;
  subtotal: string;
  total: string;
  sessionTotal: string;
  inclVat: string;
  /** Methods of payment. */
  wallet: string;
  topUp: string;
  roaming: string;
  returned: string;
  amountDue: string;
  payTo: string;
  account: string;
  reference: string;
  free: string;
  credited: string;
  creditNote: string;
  roundedEnergy: (measured: string, billed: string) => string;
  /** State of the signed meter values. */
  signatures: {
    verified: string;
    /** Verified, and the billed energy differs. */
    otherEnergy: string;
    unverified: string;
    invalid: string;
  };
  estimatedSpread: string;
  currentNotMeasured: string;
}
