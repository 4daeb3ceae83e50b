import t from 'tap';
import {
  alertChannelBodies,
  type ChannelMessage,
  type ChannelNotice,
} from '#api/services/fleet/alert-channel-formats.ts';

const target = { url: 'https://hooks.example/secret', routingKey: 'R'.repeat(32), signingSecret: null };

const notice: ChannelNotice = {
  id: '11111111-1111-4111-8111-111111111111',
  cause: 'raised',
  kind: 'location-offline',
  severity: 'critical',
  title: 'Location offline (critical)',
  lines: ['Location: Quay <!channel> & *Pier*, Rotterdam', 'Since: Sat 28 Nov, 12:00 CET'],
  link: { label: 'View alert', url: 'https://chargeway.example/console/alerts?alert=1' },
  location: 'Quay, Rotterdam',
  names: ['Quay-1', 'Quay-2'],
  count: 1,
  since: new Date('2026-11-28T11:00:00Z'),
  until: null,
};
const cleared: ChannelNotice = {
  ...notice,
  cause: 'cleared',
  title: 'Cleared: Location offline (critical)',
  until: new Date('2026-11-28T12:00:00Z'),
};
const network = { uuid: '22222222-2222-4222-8222-222222222222', name: 'North & Co' };
const message = (...notices: ChannelMessage['notices']): ChannelMessage => ({ network, notices });

interface Card {
  type: string;
  version: string;
  body: { text: string; items: { text: string; color?: string }[] }[];
}

void t.test('writes the state of one notification for a webhook', async (t) => {
  t.same(alertChannelBodies.webhook(message(cleared), target), {
    type: 'alert.cleared',
    notificationId: notice.id,
    networkId: network.uuid,
    networkName: 'North & Co',
    kind: 'location-offline',
    severity: 'critical',
    title: cleared.title,
    text: notice.lines.join('\n'),
    location: 'Quay, Rotterdam',
    names: ['Quay-1', 'Quay-2'],
    count: 1,
    since: '2026-11-28T11:00:00.000Z',
    until: '2026-11-28T12:00:00.000Z',
    url: notice.link.url,
  });
  t.match(alertChannelBodies.webhook(message({ ...notice, kind: null }), target), { type: 'alert.test' });
});

void t.test('writes blocks for Slack in which names notify no one', async (t) => {
  const body = JSON.stringify(alertChannelBodies.slack(message(notice, cleared), target));
  t.match(JSON.parse(body), {
    text: 'Location offline (critical) · Cleared: Location offline (critical)',
    blocks: [
      { type: 'header', text: { type: 'plain_text', text: '🔴 Location offline (critical)' } },
      { type: 'section', text: { type: 'mrkdwn' } },
      { type: 'header', text: { text: '🟢 Cleared: Location offline (critical)' } },
      { type: 'section' },
      { type: 'context', elements: [{ type: 'mrkdwn', text: 'North &amp; Co' }] },
    ],
  });
  t.notMatch(body, '<!channel>');
  t.match(body, 'Quay &lt;!channel&gt; &amp; *Pier*');
  t.match(body, `<${notice.link.url}|View alert>`);
});

void t.test('keeps Slack messages within 50 blocks and their lengths', async (t) => {
  const long = { ...notice, title: 'x'.repeat(400), lines: ['y'.repeat(5000)] };
  const notices = Array.from({ length: 30 }, () => long);
  const { blocks } = alertChannelBodies.slack(message(long, ...notices), target) as {
    blocks: { type: string; text?: { text: string } }[];
  };
  t.equal(blocks.length, 50);
  t.ok(blocks.every(({ text }) => (text?.text.length ?? 0) <= 3000));
  t.ok(blocks.every(({ type, text }) => type !== 'header' || (text?.text.length ?? 0) <= 150));
});

void t.test('writes an Adaptive Card for Teams, in which names are no Markdown', async (t) => {
  const body = alertChannelBodies.teams(message(notice, cleared), target) as {
    type: string;
    attachments: { contentType: string; contentUrl: null; content: Card }[];
  };
  t.equal(body.type, 'message');
  const [attachment] = body.attachments;
  t.match(attachment, {
    contentType: 'application/vnd.microsoft.card.adaptive',
    contentUrl: null,
    content: { type: 'AdaptiveCard', version: '1.4' },
  });
  const [head, raised, over] = attachment!.content.body;
  t.equal(head?.text, 'North & Co');
  t.match(raised?.items[0], { text: String.raw`Location offline \(critical\)`, color: 'Attention' });
  t.match(raised?.items[1], { text: String.raw`Location: Quay \<!channel\> & \*Pier\*, Rotterdam` });
  t.match(raised?.items.at(-1), { text: `[View alert](${notice.link.url})` });
  t.match(over?.items[0], { color: 'Good' });
});

void t.test('triggers and resolves one incident of PagerDuty', async (t) => {
  const event = { routing_key: target.routingKey, dedup_key: `chargeway/${notice.id}` };
  t.match(alertChannelBodies.pagerduty(message(notice), target), {
    ...event,
    event_action: 'trigger',
    client: 'chargeway',
    client_url: notice.link.url,
    payload: {
      summary: 'Location offline (critical)',
      source: 'North & Co',
      severity: 'critical',
      timestamp: '2026-11-28T11:00:00.000Z',
      class: 'location-offline',
      custom_details: { names: ['Quay-1', 'Quay-2'], count: 1 },
    },
  });
  t.same(alertChannelBodies.pagerduty(message(cleared), target), { ...event, event_action: 'resolve' });
});
