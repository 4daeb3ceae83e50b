import { useQuery } from '@tanstack/react-query';
import { type NavigateOptions, useRouter } from '@tanstack/react-router';
import { Search } from '../../ui/icons/icons.ts';
import { useDeferredValue, useState } from 'react';
import {
  Autocomplete,
  Dialog,
  Header,
  Input,
  Menu,
  MenuItem,
  MenuSection,
  Modal,
  ModalOverlay,
  SearchField,
} from 'react-aria-components';
import { useTranslation } from 'react-i18next';
import { api, type Schemas } from '../../api/client.ts';
import { keepWithin } from '../../api/keep-within.ts';
import { type Caller, useCaller } from '../caller.tsx';
import { useNetworkQuery } from '../network-switcher.tsx';
import styles from './palette.module.css';
import { mayOpen, navigation } from '../navigation-entries.ts';

/** Entry of the results of a search. */
interface Hit {
  id: string;
  name: string;
  detail: string | null;
  /** Page that it opens. */
  to: NavigateOptions;
}

type Title = (typeof navigation)[number]['entries'][number]['id'];

/** Returns the pages that the caller may open. */
function pageHits(caller: Caller, nameOf: (title: Title) => string): Hit[] {
  return navigation
    .flatMap(({ entries }) => entries)
    .filter((entry) => mayOpen(entry, caller))
    .map(({ id, to }) => ({
      id: `page ${id}`,
      name: nameOf(id),
      detail: null,
      to: { to } as NavigateOptions,
    }));
}

type Found = Schemas['SearchResults'];
type Kind = keyof Found;

/** Pages of the records by kind. A token is shown next to the list of tokens, an EVSE on the page of its charger. */
const pages: Record<Kind, (id: string, name: string) => NavigateOptions> = {
  chargers: (uuid) => ({ to: '/fleet/chargers/$uuid', params: { uuid } }),
  sessions: (uuid) => ({ to: '/charging/sessions/$uuid', params: { uuid } }),
  drivers: (uuid) => ({ to: '/people/drivers/$uuid', params: { uuid } }),
  tokens: (token) => ({ to: '/people/tokens', search: { token } }),
  locations: (uuid) => ({ to: '/fleet/locations/$uuid', params: { uuid } }),
  evses: (uuid) => ({ to: '/fleet/chargers/$uuid', params: { uuid } }),
};

/** Returns the found records by kind. A kind that the scopes do not permit is left out. */
function recordHits(found: Found): { kind: Kind; hits: Hit[] }[] {
  return (Object.keys(pages) as Kind[]).map((kind) => ({
    kind,
    hits: (found[kind] ?? []).map(({ id, name, detail }) => ({
      id: `${kind} ${id} ${name}`,
      name,
      detail,
      to: pages[kind](id, name),
    })),
  }));
}

/** Field and results of the search, over the page. */
export function Finder({ close }: { close: () => void }) {
  const { t } = useTranslation();
  return (
    <ModalOverlay isOpen onOpenChange={close} isDismissable className={styles['overlay']}>
      <Modal className={styles['modal']}>
        <Dialog aria-label={t('search.label')} className={styles['dialog']}>
          <Hits close={close} />
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}

function Hits({ close }: { close: () => void }) {
  const { t } = useTranslation();
  const caller = useCaller();
  const router = useRouter();
  const network = useNetworkQuery();
  const [text, setText] = useState('');
  const query = useDeferredValue(text.trim());
  const found = useQuery({
    queryKey: ['search', network, query],
    queryFn: () => api.GET('/cpms/v1/search', { params: { query: { ...network, q: query } } }),
    enabled: query.length >= 2,
    placeholderData: keepWithin('search', network),
  });
  const pages = pageHits(caller, (title) => t(`navigation.${title}`)).filter(({ name }) =>
    name.toLowerCase().includes(query.toLowerCase()),
  );
  const groups: { title: string; hits: Hit[] }[] = [
    ...(query.length < 2 || found.data === undefined
      ? []
      : recordHits(found.data).map(({ kind, hits }) => ({ title: t(`search.${kind}`), hits }))),
    { title: t('search.pages'), hits: pages },
  ].filter(({ hits }) => hits.length > 0);
  const open = (to: NavigateOptions) => {
    close();
    void router.navigate(to);
  };
  return (
    <Autocomplete inputValue={text} onInputChange={setText}>
      {/* oxlint-disable-next-line jsx-a11y/no-autofocus -- the dialog exists for this field */}
      <SearchField aria-label={t('search.label')} autoFocus className={styles['field']}>
        <Search aria-hidden size={18} />
        <Input className={styles['input']} placeholder={t('search.placeholder')} />
      </SearchField>
      <Menu
        aria-label={t('search.label')}
        className={styles['results']}
        renderEmptyState={() =>
          found.isFetching ? null : <p className={styles['nothing']}>{t('search.nothing', { query })}</p>
        }
      >
        {groups.map(({ title, hits }) => (
          <MenuSection key={title}>
            <Header className={styles['group']}>{title}</Header>
            {hits.map(({ id, name, detail, to }) => (
              <MenuItem key={id} id={id} textValue={name} className={styles['hit']} onAction={() => open(to)}>
                {name}
                {detail !== null && <span className={styles['detail']}>{detail}</span>}
              </MenuItem>
            ))}
          </MenuSection>
        ))}
      </Menu>
    </Autocomplete>
  );
}
