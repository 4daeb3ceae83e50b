import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useScopes } from '../../app/caller.tsx';
import { Select } from '../../ui/field.tsx';
import { importQuery, kindsQuery, type KindName } from './import-queries.ts';
import { RecentImports } from './recent-imports.tsx';
import { RunningImport } from './running-import.tsx';
import { UploadCard } from './upload-card.tsx';
import page from '../../ui/layout.module.css';
import { QueryPending } from '../../ui/notice.tsx';
import styles from './imports.module.css';

/** Lists of the records of each kind. */
const lists = {
  locations: '/fleet/locations',
  chargers: '/fleet/chargers',
  connectors: '/fleet/chargers',
  drivers: '/people/drivers',
  tokens: '/people/tokens',
  tariffs: '/money/tariffs',
} as const;

/** Import of records from a CSV file: upload, mapping, dry run, progress and result. */
export function ImportsPage() {
  const { t } = useTranslation('imports');
  const search = useSearch({ from: '/signed-in/imports' });
  const navigate = useNavigate({ from: '/imports' });
  const can = useScopes();
  const { data } = useSuspenseQuery(kindsQuery);
  const kinds = data.filter(({ scope }) => can(scope));
  const kind = kinds.find((one) => one.kind === search.kind) ?? kinds[0];
  const go = (to: { kind?: KindName; import?: string }) =>
    void navigate({ search: ({ network }) => ({ network, ...to }) });
  if (kind === undefined) return <p className={page['page']}>{t('notAllowed')}</p>;
  return (
    <div className={page['page']}>
      <header className={page['header']}>
        <div>
          <p className={styles['back']}>
            <Link to={lists[kind.kind]}>{t('back', { kind: t(`kinds.${kind.kind}`) })}</Link>
          </p>
          <h1>{t('title', { kind: t(`kinds.${kind.kind}`) })}</h1>
        </div>
        <Select
          label={t('kind')}
          options={kinds.map((one) => ({ id: one.kind, text: capitalized(t(`kinds.${one.kind}`)) }))}
          value={kind.kind}
          onChange={(next) => go({ kind: next })}
        />
      </header>
      {search.import === undefined ? (
        <>
          <UploadCard
            key={kind.kind}
            kind={kind}
            onUploaded={({ id }) => go({ kind: kind.kind, import: id })}
          />
          <RecentImports kind={kind.kind} onOpen={(id) => go({ kind: kind.kind, import: id })} />
        </>
      ) : (
        <OpenImport key={search.import} uuid={search.import} onLeave={() => go({ kind: kind.kind })} />
      )}
    </div>
  );
}

/** Returns a word as the beginning of a sentence. */
const capitalized = (word: string) => word.charAt(0).toLocaleUpperCase() + word.slice(1);

function OpenImport({ uuid, onLeave }: { uuid: string; onLeave: () => void }) {
  const { data: kinds } = useSuspenseQuery(kindsQuery);
  const { data, error, refetch } = useQuery(importQuery(uuid));
  if (data === undefined) {
    return <QueryPending query={{ error, refetch }} height={320} />;
  }
  const kind = kinds.find((one) => one.kind === data.kind);
  return kind === undefined ? null : <RunningImport kind={kind} current={data} onLeave={onLeave} />;
}
