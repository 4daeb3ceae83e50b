import type { Queryable, Sql } from '#shared/postgres/kernel/client.ts';

/** New e-mail. */
interface NewMail {
  /** Null: of the whole system. */
  networkId: number | null;
  kind: string;
  /** Null: no recipient. */
  recipient: string | null;
  subject: string;
  text: string;
  html: string;
}

/** An e-mail that waits to be sent. */
interface WaitingMail {
  /** Names it to those who get it. */
  uuid: string;
  kind: string;
  recipient: string | null;
  subject: string;
  text: string;
  html: string;
  networkName: string;
  /** Reply address. Null: none. */
  supportEmail: string | null;
}

/** Stores an e-mail; answers its id. */
export async function insertMail(sql: Queryable, mail: NewMail): Promise<number> {
  const [row] = await sql<{ id: number }[]>`
    insert into mails (network_id, kind, recipient, subject, body_text, body_html)
    values (${mail.networkId}, ${mail.kind}, ${mail.recipient}, ${mail.subject}, ${mail.text}, ${mail.html}) returning id`;
  if (row === undefined) throw new Error('the insert of an e-mail returned no row');
  return row.id;
}

/** An e-mail that waits to be sent; null: it was, or was given up. */
export async function findWaitingMail(sql: Queryable, id: number): Promise<WaitingMail | null> {
  const [row] = await sql<WaitingMail[]>`
    select m.uuid, m.kind, m.recipient, m.subject, m.body_text as text, m.body_html as html, coalesce(n.name, 'chargeway') as "networkName",
      n.support_email as "supportEmail"
    from mails m left join networks n on n.id = m.network_id where m.id = ${id} and m.body_text is not null`;
  return row ?? null;
}

const emptied = (sql: Queryable) => sql`recipient = null, subject = null, body_text = null, body_html = null`;

/** Notes that an e-mail was sent, and empties it. */
export async function mailWasSent(sql: Queryable, id: number): Promise<void> {
  await sql`update mails set sent_at = now(), ${emptied(sql)} where id = ${id}`;
}

/** Notes that an e-mail is never sent, and empties it. */
export async function mailWasGivenUp(sql: Queryable, id: number, refusal: string): Promise<void> {
  await sql`update mails set given_up_at = now(), refusal = ${refusal}, ${emptied(sql)} where id = ${id}`;
}

/** Gives up the e-mails of a network that wait to be sent to an address, and empties them. */
export async function giveUpMailsTo(sql: Queryable, networkId: number, recipient: string): Promise<void> {
  await sql`
    update mails set given_up_at = now(), refusal = 'The recipient was deleted.', ${emptied(sql)}
    where network_id = ${networkId} and body_text is not null and lower(recipient) = lower(${recipient})`;
}

const notInTime = 'It could not be sent in time.';

/** Returns the ids of e-mails of a kind that no mail server accepted or refused in time. */
export async function listMailsNotSentInTime(sql: Queryable, kind: string): Promise<number[]> {
  const mails = await sql<
    { id: number }[]
  >`select id from mails where kind = ${kind} and refusal = ${notInTime}`;
  return mails.map(({ id }) => id);
}

/** Gives up what could not be sent within `waitDays`, and forgets after `keepDays` that there was an e-mail. */
export async function endMails(sql: Sql, waitDays: number, keepDays: number): Promise<void> {
  await sql`
    update mails set given_up_at = now(), refusal = ${notInTime}, ${emptied(sql)}
    where body_text is not null and created_at < now() - ${waitDays} * interval '1 day'`;
  await sql`delete from mails where created_at < now() - ${keepDays} * interval '1 day'`;
}
