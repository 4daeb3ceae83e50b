import { allRows, ListTable } from '../../ui/table/list-table.tsx';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { api, dataOf, type Schemas } from '../../api/client.ts';
import { useFormats } from '../../texts/formats.ts';
import { Card } from '../../ui/card.tsx';
import { Empty } from '../../ui/notice.tsx';
import { sessionColumns } from '../sessions/session-columns.tsx';

const latest = 10;
/** Columns that tell the sessions of one driver apart. */
const shown = ['started', 'state', 'charger', 'location', 'energy', 'duration', 'cost', 'price'];

/** Latest sessions of a driver. */
export function DriverSessions({ driver: { id } }: { driver: Schemas['Driver'] }) {
  const { t } = useTranslation('drivers');
  const { t: sessionTexts } = useTranslation(['sessions', 'session', 'common']);
  const { t: words } = useTranslation(['session', 'common']);
  const formats = useFormats();
  const navigate = useNavigate();
  const query = useQuery({
    queryKey: ['sessions', 'driver', id],
    queryFn: () =>
      dataOf(api.GET('/cpms/v1/sessions', { params: { query: { userId: id, pageSize: latest } } })),
  });
  const columns = useMemo(() => sessionColumns(sessionTexts, words, formats), [sessionTexts, words, formats]);
  return (
    <Card
      title={t('sessions.title')}
      hasPadding={false}
      actions={
        <Link to="/charging/sessions" search={{ userId: id }}>
          {t('sessions.all')}
        </Link>
      }
    >
      <ListTable
        list={allRows(query)}
        empty={<Empty title={t('sessions.none')} />}
        rowsAhead={4}
        label={t('sessions.title')}
        columns={columns}
        shown={shown}
        onOpen={(session) => void navigate({ to: '/charging/sessions/$uuid', params: { uuid: session.id } })}
        height={400}
      />
    </Card>
  );
}
