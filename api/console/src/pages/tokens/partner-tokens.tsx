import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../api/client.ts';
import { useCan } from '../../app/caller.tsx';
import { useNetworkQuery } from '../../app/network-switcher.tsx';
import { useFormats } from '../../texts/formats.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { Empty, ErrorNotice } from '../../ui/notice.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { StateBadge } from '../../ui/state-badge.tsx';
import type { Column } from '../../ui/table/columns.ts';
import { DataTable } from '../../ui/table/data-table.tsx';
import { notify } from '../../ui/toast.tsx';
import page from '../../ui/list-page.module.css';
import styles from '../people/list-page.module.css';

const read = (uid: string, network: { networkUuid?: string }) =>
  api.GET('/cpms/v1/ocpi-tokens', { params: { query: { ...network, uid } } });

type PartnerToken = Awaited<ReturnType<typeof read>>[number];

const partyOf = ({ countryCode, partyId }: PartnerToken) => `${countryCode}*${partyId}`;

/** Tokens of roaming partners with a UID, and the choice of the party that authorizes it where several claim it. */
export function PartnerTokens() {
  const { t } = useTranslation(['tokens', 'people']);
  const navigate = useNavigate({ from: '/people/tokens' });
  const { uid = '' } = useSearch({ from: '/signed-in/people/tokens' });
  const network = useNetworkQuery();
  const queries = useQueryClient();
  const { data, error, refetch } = useQuery({
    queryKey: ['partner-tokens', network, uid],
    queryFn: () => read(uid, network),
    enabled: uid !== '',
  });
  const mayChoose = useCan('cpms:write:ocpi-partners');
  const [asked, setAsked] = useState<PartnerToken | null>(null);
  const choosing = useMutation({
    mutationFn: ({ networkUuid, uid, countryCode, partyId }: PartnerToken) =>
      api.POST('/cpms/v1/ocpi-tokens/owner', { body: { networkUuid, uid, countryCode, partyId } }),
    onSuccess: (_, token) => notify('done', t('partners.done', { party: partyOf(token), uid: token.uid })),
    onError: ({ message }) => notify('failed', t('failed', { message })),
    onSettled: () => queries.invalidateQueries({ queryKey: ['partner-tokens'] }),
  });
  const columns = usePartnerColumns(data ?? [], mayChoose ? setAsked : null);
  return (
    <div className={styles['panel']}>
      <search className={page['search']} aria-label={t('people:filters')}>
        <SearchField
          label={t('partners.uid')}
          placeholder="04A1B2C3D4E5F6"
          value={uid}
          onChange={(text) =>
            void navigate({ search: (before) => ({ ...before, uid: text }), replace: true })
          }
        />
      </search>
      {uid === '' ? (
        <p className={page['hint']}>{t('partners.hint')}</p>
      ) : error !== null && data === undefined ? (
        <ErrorNotice error={error} retry={() => void refetch()} />
      ) : data === undefined ? (
        <Skeleton height={160} />
      ) : data.length === 0 ? (
        <Empty title={t('partners.none')} />
      ) : (
        <>
          {data.length > 1 && <p>{t('partners.conflict')}</p>}
          <div className={page['list']}>
            <DataTable
              label={t('tabs.partners')}
              columns={columns}
              count={data.length}
              rowAt={(index) => data[index]}
              keyOf={(token) => `${token.networkUuid} ${partyOf(token)}`}
            />
          </div>
        </>
      )}
      {asked !== null && (
        <ConfirmDialog
          title={t('partners.title', { party: partyOf(asked), uid: asked.uid })}
          action={t('partners.action', { party: partyOf(asked) })}
          onConfirm={() => choosing.mutate(asked)}
          onClose={() => setAsked(null)}
        >
          <p>{t('partners.detail', { partner: asked.partnerName })}</p>
        </ConfirmDialog>
      )}
    </div>
  );
}

function usePartnerColumns(
  tokens: readonly PartnerToken[],
  onChoose: ((token: PartnerToken) => void) | null,
): Column<PartnerToken>[] {
  const { t } = useTranslation('tokens');
  const formats = useFormats();
  return useMemo(
    () => [
      {
        id: 'partner',
        title: t('partners.partner'),
        width: 180,
        grow: true,
        cell: ({ partnerId, partnerName }) => (
          <Link to="/roaming/partners/$uuid" params={{ uuid: partnerId }}>
            {partnerName}
          </Link>
        ),
      },
      { id: 'party', title: t('partners.party'), width: 100, cell: partyOf },
      { id: 'type', title: t('field.type'), width: 100, cell: ({ type }) => t(`type.${type}`) },
      { id: 'contract', title: t('field.contract'), width: 200, cell: ({ contractId }) => contractId },
      {
        id: 'state',
        title: t('field.state'),
        width: 110,
        cell: ({ valid }) => (
          <StateBadge
            state={valid ? 'available' : 'faulted'}
            word={t(valid ? 'partners.valid' : 'partners.invalid')}
          />
        ),
      },
      {
        id: 'since',
        title: t('partners.since'),
        width: 150,
        cell: ({ knownSince }) => formats.shortDateTime(knownSince),
      },
      {
        id: 'updated',
        title: t('partners.updated'),
        width: 150,
        cell: ({ lastUpdated }) => formats.shortDateTime(lastUpdated),
      },
      {
        id: 'owner',
        title: t('partners.owner'),
        width: 190,
        cell: (token) =>
          token.isOwner ? (
            <StateBadge state="available" word={t('partners.owner')} />
          ) : (
            tokens.length > 1 &&
            onChoose !== null && (
              <Button
                kind="quiet"
                aria-label={`${t('partners.choose')} ${partyOf(token)}`}
                onPress={() => onChoose(token)}
              >
                {t('partners.choose')}
              </Button>
            )
          ),
      },
    ],
    [t, formats, tokens, onChoose],
  );
}
