import { randomUUID } from 'node:crypto';
import { type Outbound, OutboundError } from '#api/services/access/outbound.ts';
import { signatureHeaders } from '#api/services/access/webhook-signature.ts';
import type { ServiceDeps } from '#api/services/kernel/deps.ts';
import { alertEntryText, alertSubject } from '#api/services/mail/texts/alerts/alert-text.ts';
import { alertWords } from '#api/services/mail/texts/alerts/alert-words.ts';
import { languageOf } from '#api/services/mail/texts/texts.ts';
import {
  alertChannelPolicy,
  type AlertChannelTarget,
  channelPaces,
} from '#shared/domain/fleet/alert-channel.ts';
import { outcomeOf, type WebhookOutcome } from '#shared/domain/events/webhook.ts';
import { backoffMs } from '#shared/domain/kernel/backoff.ts';
import {
  claimChannels,
  failChannelNotices,
  releaseChannel,
  settleChannelNotices,
  takeChannelNotices,
} from '#shared/postgres/fleet/alert-channel-notices.ts';
import type { AlertChannelRecord } from '#shared/postgres/fleet/alert-channels.statements.ts';
import type { NoticeContent } from '#shared/postgres/fleet/alert-notices.ts';
import { alertChannelBodies, type ChannelMessage, type ChannelNotice } from './alert-channel-formats.ts';
import { alertEntryOf, alertsUrlOf } from './alert-mails.ts';

/** Dependencies of the delivery to channels. */
export interface ChannelDeps extends ServiceDeps {
  /** The guarded way out, as for webhooks. */
  webhookOutbound: Outbound;
}

/** Result of a request to a channel. */
export interface ChannelAttempt {
  outcome: WebhookOutcome;
  /** HTTP status; null without an answer. */
  httpStatus: number | null;
  /** Reason of the failure, without a part of the address; null after a success. */
  error: string | null;
}

/**
 * Sends the notices that are due to their channels, each channel by one process at a time. A process that dies sends its last request
 * again. Returns the number of delivered notices.
 */
export async function deliverToChannels(deps: ChannelDeps): Promise<number> {
  const channels = await claimChannels(deps.sql, deps.secrets.knownIds);
  const counts = await Promise.all(channels.map((channel) => serve(deps, channel)));
  return counts.reduce((sum, count) => sum + count, 0);
}

async function serve(deps: ChannelDeps, channel: AlertChannelRecord): Promise<number> {
  const { noticesPerRequest, requestsAtOnce, pauseMs } = channelPaces[channel.format];
  const startedAt = performance.now();
  let delivered = 0;
  for (let request = 0; request < requestsAtOnce; request += 1) {
    if (performance.now() - startedAt > alertChannelPolicy.roundMs) break;
    const taken = await takeChannelNotices(deps.sql, channel.id, noticesPerRequest);
    // An alert may be acknowledged in between: its notice has no content, and is dropped in the next round.
    const [first, ...others] = taken.filter(({ count, cause }) => count > 0 || cause === 'cleared');
    if (first === undefined) break;
    const notices: [NoticeContent, ...NoticeContent[]] = [first, ...others];
    const ids = notices.map(({ noticeId }) => noticeId);
    const attempt = await sendToChannel(deps, channel, messageOf(deps, channel, notices));
    if (attempt.error !== null) return (await fail(deps, channel, ids, attempt), delivered);
    await settleChannelNotices(deps.sql, channel.id, ids, attempt.httpStatus);
    delivered += ids.length;
  }
  await releaseChannel(deps.sql, channel, pauseMs);
  return delivered;
}

async function fail(
  { sql }: ChannelDeps,
  channel: AlertChannelRecord,
  ids: readonly bigint[],
  { outcome, httpStatus, error }: ChannelAttempt,
): Promise<void> {
  const isRefused = outcome.kind === 'refused' || outcome.kind === 'gone';
  await failChannelNotices(sql, channel.id, ids, { error: error ?? '', httpStatus, isRefused });
  const requested = outcome.kind === 'unavailable' ? outcome.retryAfterMs : null;
  await releaseChannel(sql, channel, requested ?? backoffMs(alertChannelPolicy.backoff, channel.failures));
}

/** Sends a test: what readers get for an alert, and for programs its end too. Returns the first failure, else the success. */
export async function sendChannelTest(
  deps: ChannelDeps,
  channel: AlertChannelRecord,
): Promise<ChannelAttempt> {
  const { test } = wordsOf(channel);
  const raised: ChannelNotice = {
    id: randomUUID(),
    cause: 'raised',
    kind: null,
    severity: 'warning',
    title: test.title,
    lines: [test.line],
    link: { label: wordsOf(channel).openAll, url: alertsUrlOf(deps.settings) },
    location: null,
    names: [],
    count: 1,
    since: new Date(),
    until: null,
  };
  const send = (notice: ChannelNotice) =>
    sendToChannel(deps, channel, { network: networkOf(channel), notices: [notice] });
  const attempt = await send(raised);
  if (attempt.error !== null || !channelPaces[channel.format].isStateful) return attempt;
  return send({ ...raised, cause: 'cleared', until: new Date() });
}

const wordsOf = ({ language, networkLanguage }: AlertChannelRecord) =>
  alertWords[languageOf(language, networkLanguage)];

const networkOf = ({ networkUuid: uuid, networkName: name }: AlertChannelRecord) => ({ uuid, name });

function messageOf(
  { settings }: ChannelDeps,
  channel: AlertChannelRecord,
  notices: [NoticeContent, ...NoticeContent[]],
): ChannelMessage {
  const words = wordsOf(channel);
  const noticeOf = (content: NoticeContent): ChannelNotice => {
    const entry = alertEntryOf(content);
    const { kind, severity, location, names, count, since, until } = entry;
    const text = alertEntryText(words, entry, alertsUrlOf(settings));
    return {
      ...text,
      title: `${alertSubject(words, entry)} (${words.severities[severity]})`,
      id: content.notificationUuid,
      cause: content.cause,
      kind,
      severity,
      location,
      names,
      count,
      since,
      until,
    };
  };
  const [first, ...others] = notices;
  return { network: networkOf(channel), notices: [noticeOf(first), ...others.map(noticeOf)] };
}

const userAgent = 'chargeway-alerts/1';

async function sendToChannel(
  { secrets, webhookOutbound }: ChannelDeps,
  { format, sealed, sealingKey }: AlertChannelRecord,
  message: ChannelMessage,
): Promise<ChannelAttempt> {
  const target = JSON.parse(secrets.open(sealed, sealingKey)) as AlertChannelTarget;
  const body = JSON.stringify(alertChannelBodies[format](message, target));
  try {
    const { status, headers } = await webhookOutbound.send({
      method: 'POST',
      url: target.url,
      headers: {
        'content-type': 'application/json; charset=utf-8',
        'user-agent': userAgent,
        ...signed(message, body, target),
      },
      body,
      timeoutMs: alertChannelPolicy.timeoutMs,
      requiresTls: true,
      keptBytes: 0,
    });
    const outcome = outcomeOf(status, headers['retry-after'], Date.now());
    return { outcome, httpStatus: status, error: outcome.kind === 'delivered' ? null : `HTTP ${status}` };
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    // Its message may contain the address.
    return { outcome: { kind: 'unavailable', retryAfterMs: null }, httpStatus: null, error: error.fault };
  }
}

/** Returns the headers that sign a webhook (Standard Webhooks). The identifier is the same for each try. */
function signed(
  { notices: [{ id, cause }] }: ChannelMessage,
  body: string,
  { signingSecret }: AlertChannelTarget,
): Record<string, string> {
  if (signingSecret === null) return {};
  const content = { id: `${id}_${cause}`, timestamp: Math.floor(Date.now() / 1000), body };
  return signatureHeaders(content, [signingSecret]);
}
