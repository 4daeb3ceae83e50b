import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { QueryPending } from '../../ui/notice.tsx';
import { Check, Minus } from '../../ui/icons/icons.ts';
import { useTranslation } from 'react-i18next';
import { api, dataOf, type Schemas } from '../../api/client.ts';
import { permits, useCaller } from '../../app/caller.tsx';
import { useScopeWord } from '../people/scope-words.ts';
import { CustomRoles } from './custom-roles.tsx';
import styles from './roles-page.module.css';

type Catalog = Schemas['ScopeCatalog'];

/** Scopes that imply others. No role has them. */
const isSingle = (scope: string) => scope.split(':').length === 3;

/** The roles of operators: what each one may do, scope by scope, next to the scopes of the caller. */
export function RolesPage() {
  const { t } = useTranslation(['operators', 'common']);
  const { data, error, refetch } = useQuery({
    queryKey: ['scopes'],
    queryFn: () => dataOf(api.GET('/cpms/v1/.well-known/scopes')),
    staleTime: 3_600_000,
  });
  return (
    <div className={styles['page']}>
      <header>
        <Link to="/people/operators" className={styles['back']}>
          {t('title')}
        </Link>
        <h1>{t('roles.title')}</h1>
        <p className={styles['intro']}>{t('roles.intro')}</p>
      </header>
      {data === undefined ? (
        <QueryPending query={{ error, refetch }} height={560} />
      ) : (
        <>
          <RoleCards catalog={data} />
          <CustomRoles />
          <Matrix catalog={data} />
        </>
      )}
    </div>
  );
}

function RoleCards({ catalog }: { catalog: Catalog }) {
  const { t } = useTranslation(['operators', 'people']);
  const { grantableRoles } = useCaller();
  return (
    <ul className={styles['cards']}>
      {catalog.roles.map(({ role }) => (
        <li key={role} className={styles['card']}>
          <h2>{t(`people:role.${role}`)}</h2>
          <p>{t(`role.${role}`)}</p>
          <p className={styles['grant']}>
            {t(grantableRoles.includes(role) ? 'roles.grantable' : 'roles.notGrantable')}
          </p>
        </li>
      ))}
    </ul>
  );
}

function Matrix({ catalog }: { catalog: Catalog }) {
  const { t } = useTranslation(['operators', 'people']);
  const groups = [
    [t('roles.reads'), catalog.reads.filter(isSingle)],
    [t('roles.writes'), catalog.writes],
    [t('roles.commands'), catalog.commands],
  ] as const;
  return (
    <div className={styles['surface']}>
      <table className={styles['table']} aria-label={t('roles.title')}>
        <thead>
          <tr>
            <th scope="col">{t('roles.scope')}</th>
            {catalog.roles.map(({ role }) => (
              <th key={role} scope="col" className={styles['mark']}>
                {t(`people:role.${role}`)}
              </th>
            ))}
            <th scope="col" className={styles['mark']}>
              {t('roles.yours')}
            </th>
          </tr>
        </thead>
        {groups.map(([name, scopes]) => (
          <tbody key={name}>
            <tr>
              <th scope="rowgroup" colSpan={catalog.roles.length + 2} className={styles['group']}>
                {name}
              </th>
            </tr>
            {scopes.map((scope) => (
              <ScopeRow key={scope} scope={scope} catalog={catalog} />
            ))}
          </tbody>
        ))}
      </table>
    </div>
  );
}

function ScopeRow({ scope, catalog }: { scope: string; catalog: Catalog }) {
  const { scopes } = useCaller();
  const word = useScopeWord()(scope);
  return (
    <tr>
      <th scope="row">
        {word} <code>{scope}</code>
      </th>
      {catalog.roles.map(({ role, scopes: granted }) => (
        <Mark key={role} isGranted={permits(granted, scope)} />
      ))}
      <Mark isGranted={permits(scopes, scope)} />
    </tr>
  );
}

function Mark({ isGranted }: { isGranted: boolean }) {
  const { t } = useTranslation('operators');
  return (
    <td className={styles['mark']}>
      {isGranted ? (
        <Check size={16} role="img" aria-label={t('roles.may')} className={styles['granted']} />
      ) : (
        <Minus size={16} role="img" aria-label={t('roles.mayNot')} className={styles['missing']} />
      )}
    </td>
  );
}
