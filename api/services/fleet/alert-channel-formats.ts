import type { AlertChannelFormat, AlertChannelTarget } from '#shared/domain/fleet/alert-channel.ts';
import type { AlertNoticeCause } from '#shared/domain/fleet/alert-delivery.ts';
import type { AlertKind, AlertSeverity } from '#shared/domain/fleet/alert.ts';

/** Notification about alerts of one kind at one location, with its texts in the language of a channel. */
export interface ChannelNotice {
  /** Identifier of the notification: the same when it is over. */
  id: string;
  cause: AlertNoticeCause;
  /** Null: a test. */
  kind: AlertKind | null;
  severity: AlertSeverity;
  title: string;
  lines: string[];
  link: { label: string; url: string };
  location: string | null;
  /** Names of the first resources, and the number of alerts. */
  names: string[];
  count: number;
  since: Date;
  until: Date | null;
}

/** Notices that one request carries. Formats for programs carry one. */
export interface ChannelMessage {
  network: { uuid: string; name: string };
  notices: [ChannelNotice, ...ChannelNotice[]];
}

/** Returns the body of a request in each format. */
export const alertChannelBodies: Record<
  AlertChannelFormat,
  (message: ChannelMessage, target: AlertChannelTarget) => object
> = { webhook, slack, teams, pagerduty };

function webhook({ network, notices: [notice] }: ChannelMessage): object {
  const { id, cause, kind, severity, title, lines, link, location, names, count, since, until } = notice;
  return {
    type: kind === null ? 'alert.test' : (`alert.${cause}` as const),
    notificationId: id,
    networkId: network.uuid,
    networkName: network.name,
    kind,
    severity,
    title,
    text: lines.join('\n'),
    location,
    names,
    count,
    since: since.toISOString(),
    until: until?.toISOString() ?? null,
    url: link.url,
  };
}

const slackLimits = { header: 150, section: 3000, blocks: 50 };

/** Incoming webhook: https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks */
function slack({ network, notices }: ChannelMessage): object {
  const blocks = notices.flatMap(({ cause, severity, title, lines, link }) => [
    {
      type: 'header',
      text: { type: 'plain_text', text: cut(`${mark(cause, severity)} ${title}`, slackLimits.header) },
    },
    {
      type: 'section',
      text: {
        type: 'mrkdwn',
        text: `${cut(lines.map(slackText).join('\n'), slackLimits.section - 500)}\n<${link.url}|${slackText(link.label)}>`,
      },
    },
  ]);
  return {
    text: cut(slackText(notices.map(({ title }) => title).join(' · ')), slackLimits.section),
    blocks: [
      ...blocks.slice(0, slackLimits.blocks - 1),
      { type: 'context', elements: [{ type: 'mrkdwn', text: slackText(network.name) }] },
    ],
  };
}

/** Slack reads these three characters as markup, and nothing else in an escaped text mentions or notifies anyone. */
const slackText = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** Workflow "Post to a channel when a webhook request is received": an Adaptive Card of at most 28 KB. */
function teams({ network, notices }: ChannelMessage): object {
  const items = notices.map(({ cause, severity, title, lines, link }) => ({
    type: 'Container',
    separator: true,
    items: [
      {
        type: 'TextBlock',
        text: cardText(title),
        weight: 'Bolder',
        size: 'Medium',
        wrap: true,
        color: cause === 'cleared' ? 'Good' : severity === 'critical' ? 'Attention' : 'Warning',
      },
      ...lines.map((line) => ({
        type: 'TextBlock',
        text: cardText(cut(line, 500)),
        wrap: true,
        spacing: 'None',
      })),
      { type: 'TextBlock', text: `[${link.label}](${link.url})`, spacing: 'Small' },
    ],
  }));
  return {
    type: 'message',
    attachments: [
      {
        contentType: 'application/vnd.microsoft.card.adaptive',
        contentUrl: null,
        content: {
          $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
          type: 'AdaptiveCard',
          version: '1.4',
          msteams: { width: 'Full' },
          body: [{ type: 'TextBlock', text: cardText(network.name), isSubtle: true, wrap: true }, ...items],
        },
      },
    ],
  };
}

/** Escapes the Markdown of Adaptive Cards, so that a name is neither a link nor a format. */
const cardText = (text: string) => text.replaceAll(/[\\`*_[\]()#<>]/g, String.raw`\$&`);

/** Events API v2: https://developer.pagerduty.com/docs/events-api-v2-overview */
function pagerduty(
  { network, notices: [notice] }: ChannelMessage,
  { routingKey }: AlertChannelTarget,
): object {
  const { id, cause, kind, severity, title, lines, link, location, names, count, since } = notice;
  const event = { routing_key: routingKey, dedup_key: `chargeway/${id}` };
  if (cause === 'cleared') return { ...event, event_action: 'resolve' };
  return {
    ...event,
    event_action: 'trigger',
    client: 'chargeway',
    client_url: link.url,
    links: [{ href: link.url, text: link.label }],
    payload: {
      summary: cut(title, 1024),
      source: network.name,
      severity: kind === null ? 'info' : severity,
      timestamp: since.toISOString(),
      component: location ?? names[0] ?? network.name,
      group: network.name,
      class: kind ?? 'test',
      custom_details: { text: lines.join('\n'), location, names, count },
    },
  };
}

const marks = { critical: '🔴', warning: '🟠' };
const mark = (cause: ChannelNotice['cause'], severity: AlertSeverity) =>
  cause === 'cleared' ? '🟢' : marks[severity];

const cut = (text: string, length: number) =>
  text.length <= length ? text : `${text.slice(0, length - 1)}…`;
