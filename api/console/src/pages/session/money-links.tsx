import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { api, dataOf } from '../../api/client.ts';
import { useCan } from '../../app/caller.tsx';
import { driverWalletQuery, type Wallet } from '../wallets/wallets-queries.ts';

/** Number of the invoice of a session, as a link for callers who read invoices. */
export function InvoiceLink({ number, networkUuid }: { number: string; networkUuid: string }) {
  const readsInvoices = useCan('cpms:read:invoices');
  const query = { networkUuid, search: number };
  const found = useQuery({
    queryKey: ['invoices', 'numbered', query],
    queryFn: () => dataOf(api.GET('/cpms/v1/invoices', { params: { query } })),
    enabled: readsInvoices,
  }).data;
  const invoice = found?.find(({ invoiceNumber }) => invoiceNumber === number);
  if (invoice === undefined) return number;
  return (
    <Link to="/money/invoices/$uuid" params={{ uuid: invoice.id }}>
      {number}
    </Link>
  );
}

/** Returns the wallet of a driver; null without one, and for callers who do not read wallets. */
export function useDriverWallet(userId: string | null): Wallet | null {
  const readsWallets = useCan('cpms:read:wallets');
  const wallet = useQuery({ ...driverWalletQuery(userId ?? ''), enabled: readsWallets && userId !== null });
  return wallet.data ?? null;
}
