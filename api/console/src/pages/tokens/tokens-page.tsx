import { useNavigate, useSearch } from '@tanstack/react-router';
import { Plus } from '../../ui/icons/icons.ts';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useCan } from '../../app/caller.tsx';
import { Button } from '../../ui/button.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import page from '../../ui/list-page.module.css';
import { OwnTokens } from './own-tokens.tsx';
import { PartnerTokens } from './partner-tokens.tsx';
import { TokenDialog } from './token-dialog.tsx';

const contents = { own: () => <OwnTokens />, partners: () => <PartnerTokens /> };

/** Tokens: those of the caller's networks, and those of roaming partners. */
export function TokensPage() {
  const { t } = useTranslation('tokens');
  const navigate = useNavigate({ from: '/people/tokens' });
  const { tab } = useSearch({ from: '/signed-in/people/tokens' });
  const mayCreate = useCan('cpms:write:id-tokens');
  const readsPartners = useCan('cpms:read:ocpi-partners');
  const [isCreating, setCreating] = useState(false);
  return (
    <div className={page['page']}>
      <header className={page['header']}>
        <h1>{t('title')}</h1>
        {mayCreate && (
          <Button kind="primary" onPress={() => setCreating(true)}>
            <Plus aria-hidden size={15} />
            {t('new.open')}
          </Button>
        )}
      </header>
      {readsPartners ? (
        <Tabs
          label={t('title')}
          selected={tab === 'partners' ? 'partners' : 'own'}
          onSelect={(id) => void navigate({ search: id === 'own' ? {} : { tab: id } })}
          tabs={[
            { id: 'own', title: t('tabs.own'), content: contents.own },
            { id: 'partners', title: t('tabs.partners'), content: contents.partners },
          ]}
        />
      ) : (
        <OwnTokens />
      )}
      {isCreating && <TokenDialog token={null} onClose={() => setCreating(false)} />}
    </div>
  );
}
