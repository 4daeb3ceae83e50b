import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Fragment, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { allPages } from '../../api/all-pages.ts';
import { bodies } from '../../api/client.ts';
import { useCan } from '../../app/caller.tsx';
import { en } from '../../texts/english.ts';
import { useFormats } from '../../texts/formats.ts';
import { useOcppWords } from '../../texts/ocpp-words.ts';
import { useAuditWords } from '../charger/audit/use-audit-words.ts';
import type { FeedEvent } from './use-feed.ts';

/** Fields of the data of the events in the feed. An event has the fields of its type. */
interface Data {
  chargerId: string | null;
  chargerUid: string | null;
  sessionId: string | null;
  evse?: number | null;
  connector?: number | null;
  errorCode?: string | null;
  vendorErrorCode?: string | null;
  firmwareVersion?: string | null;
  energyWh?: number;
  costMinor?: number | null;
  currency?: string;
  kind?: string;
  identity?: string;
  reason?: string;
  action?: string;
  outcome?: 'accepted' | 'rejected' | 'failed';
  by?: keyof (typeof en)['overview']['feed']['by'];
  operatorId?: string | null;
}

/** Commands with a sentence of their own. */
const { done } = en.overview.feed;

const isIn = <Words extends object>(code: string | undefined, words: Words): code is string & keyof Words =>
  code !== undefined && Object.hasOwn(words, code);

/** Returns a function that writes an event as a sentence with links. The names come with the events; names of operators in one read. */
export function useSentences(events: readonly FeedEvent[]): (event: FeedEvent) => ReactNode {
  const { t } = useTranslation(['overview', 'alerts', 'rejectedConnections']);
  const formats = useFormats();
  const words = useOcppWords();
  const audit = useAuditWords();
  const operators = useOperatorNames(events);
  const connectorOf = ({ evse, connector }: Data) => {
    if (typeof evse !== 'number' || evse === 0) return t('feed.charger');
    return connector === 1
      ? t('feed.connector', { number: evse })
      : t('feed.connectorOfEvse', { number: connector, evse });
  };
  const whoOf = ({ by = 'system', operatorId }: Data) =>
    (typeof operatorId === 'string' ? operators.get(operatorId) : undefined) ?? t(`feed.by.${by}`);
  const sentenceOf = ({ type, data: fields }: FeedEvent): string => {
    const data = fields as unknown as Data;
    const charger = '{charger}';
    const session = '{session}';
    const who = whoOf(data);
    const connector = connectorOf(data);
    const code = words.errorCode(
      data.errorCode === 'NoError'
        ? (data.vendorErrorCode ?? '')
        : (data.errorCode ?? data.vendorErrorCode ?? ''),
    );
    const kind = isIn(data.kind, en.alerts.kind) ? t(`alerts:kind.${data.kind}`) : (data.kind ?? '');
    switch (type) {
      case 'charger.connected':
        return t('feed.connected', { charger });
      case 'charger.disconnected':
        return t('feed.disconnected', { charger });
      case 'charger.booted':
        return typeof data.firmwareVersion === 'string'
          ? t('feed.bootedWith', { charger, firmware: data.firmwareVersion })
          : t('feed.booted', { charger });
      case 'connector.faulted':
        return code === ''
          ? t('feed.faulted', { connector, charger })
          : t('feed.faultedBy', { connector, charger, code });
      case 'session.started':
        return t('feed.started', { session, charger });
      case 'session.stopped':
        return t('feed.stopped', { session, charger, energy: formats.energy((data.energyWh ?? 0) / 1000) });
      case 'session.priced': {
        const amount = formats.minorMoney(data.costMinor, data.currency ?? 'EUR');
        return t('feed.priced', { session, charger, amount });
      }
      case 'session.under_review':
        return t('feed.underReview', { session, charger });
      case 'connection.rejected':
        return isIn(data.reason, en.rejectedConnections.reasons)
          ? t('feed.rejected', {
              identity: data.identity,
              reason: t(`rejectedConnections:reasons.${data.reason}`),
            })
          : t('feed.rejected', { identity: data.identity, reason: data.reason });
      case 'alert.raised':
        return data.chargerId === null ? t('feed.raised', { kind }) : t('feed.raisedAt', { kind, charger });
      case 'alert.acknowledged':
        return data.chargerId === null
          ? t('feed.acknowledged', { kind })
          : t('feed.acknowledgedAt', { kind, charger });
      case 'alert.cleared':
        return data.chargerId === null ? t('feed.cleared', { kind }) : t('feed.clearedAt', { kind, charger });
      case 'command.completed': {
        const { action = '', outcome = 'failed' } = data;
        if (outcome === 'accepted' && isIn(action, done))
          return t(`feed.done.${action}`, { connector, charger, who });
        const command = audit.action({ category: 'command', action });
        return t(`feed.command.${outcome}`, { command, charger, who });
      }
      default:
        return type;
    }
  };
  return (event) => {
    const { chargerId, chargerUid, sessionId } = event.data as unknown as Data;
    return withLinks(sentenceOf(event), {
      charger: chargerId !== null && (
        <Link to="/fleet/chargers/$uuid" params={{ uuid: chargerId }}>
          {chargerUid ?? t('feed.charger')}
        </Link>
      ),
      session:
        sessionId === null ? (
          t('feed.session')
        ) : (
          <Link to="/charging/sessions/$uuid" params={{ uuid: sessionId }}>
            {t('feed.session')}
          </Link>
        ),
    });
  };
}

/** Returns a sentence with links in the positions of their names. */
function withLinks(sentence: string, links: Record<'charger' | 'session', ReactNode>): ReactNode {
  const parts = sentence.split(/\{(charger|session)\}/);
  return parts.map((part, index) => (
    <Fragment key={index}>{index % 2 === 0 ? part : links[part as keyof typeof links]}</Fragment>
  ));
}

/** Returns the names of operators, read once when an event has an operator. Empty for callers who may not read operators. */
function useOperatorNames(events: readonly FeedEvent[]): ReadonlyMap<string, string> {
  const mayRead = useCan('cpms:read:operators');
  const isNeeded = events.some(({ data }) => typeof (data as unknown as Data).operatorId === 'string');
  const { data } = useQuery({
    queryKey: ['operators', 'names'],
    queryFn: () =>
      allPages((cursor) =>
        bodies.GET('/cpms/v1/operators', { params: { query: { pageSize: 100, cursor } } }),
      ),
    enabled: mayRead && isNeeded,
    staleTime: Number.POSITIVE_INFINITY,
  });
  return new Map((data ?? []).map(({ id, name }) => [id, name]));
}
