import { ListTable } from '../../ui/table/list-table.tsx';
import { Plus } from '../../ui/icons/icons.ts';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { bodies, type Schemas } from '../../api/client.ts';
import { useCursorList } from '../../api/cursor-list.ts';
import { useCan } from '../../app/caller.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Empty } from '../../ui/notice.tsx';
import { StaleNotice } from '../../ui/stale-notice.tsx';
import { useTokenColumns } from '../tokens/token-columns.tsx';
import { TokenDialog } from '../tokens/token-dialog.tsx';

/** Columns that tell the tokens of one driver apart. */
const shown = ['uid', 'type', 'state', 'expires', 'group', 'whitelist', 'visualNumber'];

/** Tokens of a driver. */
export function DriverTokens({
  driver,
  onOpen,
}: {
  driver: Schemas['Driver'];
  onOpen: (token: string) => void;
}) {
  const { t } = useTranslation(['drivers', 'tokens']);
  const mayCreate = useCan('cpms:write:id-tokens');
  const list = useCursorList(['tokens', 'driver', driver.id], (cursor) =>
    bodies.GET('/cpms/v1/id-tokens', { params: { query: { userId: driver.id, cursor } } }),
  );
  const columns = useTokenColumns();
  const [isCreating, setCreating] = useState(false);
  return (
    <Card
      title={t('tokens.title')}
      hasPadding={false}
      actions={
        mayCreate && (
          <Button onPress={() => setCreating(true)}>
            <Plus aria-hidden size={15} />
            {t('tokens:new.add')}
          </Button>
        )
      }
    >
      <StaleNotice query={list} />
      <ListTable
        list={list}
        empty={<Empty title={t('tokens.none')} />}
        rowsAhead={4}
        label={t('tokens.title')}
        columns={columns}
        shown={shown}
        onOpen={({ id }) => onOpen(id)}
        height={320}
      />
      {isCreating && <TokenDialog token={null} driver={driver} onClose={() => setCreating(false)} />}
    </Card>
  );
}
