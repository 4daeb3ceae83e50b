import { DomainError, type ErrorCode } from '#shared/domain/kernel/errors.ts';
import type { NetworkScope } from '#shared/domain/access/tenancy.ts';
import type { Queryable, Sql, Transaction } from '#shared/postgres/kernel/client.ts';
import { requireVersion } from '#api/services/kernel/edits.service.ts';
import { type Actor, type AuditedChange, auditChange, type OwnActor, type PartnerActor } from './audit.ts';

/** Record with a version, of a network or, where it has no `networkId`, of the installation. */
interface StoredRecord {
  uuid: string;
  version: number;
}

/** Kind of records that operators change. */
interface RecordKind<Row extends StoredRecord> {
  /** Category in the audit log. */
  category: string;
  /** The record in a sentence; the category with spaces by default. */
  noun?: string;
  notFound: ErrorCode;
  /** Returns a record in scope; or null. `lock`: for a change in this transaction. */
  find: (sql: Queryable, scope: NetworkScope, uuid: string, lock?: boolean) => Promise<Row | null>;
  networkOf: (record: Row) => number | null;
  /** Name of the record in the audit log. */
  nameOf: (record: Row) => string;
  /** Fields of a record that the audit log shows; all by default. */
  audited?: (record: Row) => object;
}

/** Reads and changes of records of one kind. A change is one transaction with its entry in the audit log. */
export class AuditedRecords<Row extends StoredRecord> {
  readonly #kind: RecordKind<Row>;

  constructor(kind: RecordKind<Row>) {
    this.#kind = kind;
  }

  /** Returns a record in the scope of the caller, locked if requested. */
  async require(sql: Queryable, scope: NetworkScope, uuid: string, lock = false): Promise<Row> {
    return this.requireFound(await this.#kind.find(sql, scope, uuid, lock), uuid);
  }

  /** Returns a record that was looked up. @throws {DomainError} as `notFound`. */
  requireFound(record: Row | null, uuid: string): Row {
    if (record === null) throw this.notFound(uuid);
    return record;
  }

  /** Returns the error of a record that is not in scope. */
  notFound(uuid: string): DomainError {
    const { category, noun = category.replaceAll('-', ' ') } = this.#kind;
    return new DomainError(this.#kind.notFound, `There is no ${noun} ${uuid}.`);
  }

  async create(sql: Sql, by: Actor, insert: (transaction: Transaction) => Promise<Row>): Promise<Row> {
    return inTransaction(sql, async (transaction) => {
      const made = await insert(transaction);
      await this.audit(transaction, by, 'create', null, made);
      return made;
    });
  }

  /**
   * Changes a locked record.
   * @param expected version of the record; null for any.
   */
  async change(
    sql: Sql,
    by: Actor,
    uuid: string,
    expected: number | null,
    update: (transaction: Transaction, before: Row) => Promise<Row>,
  ): Promise<Row> {
    return inTransaction(sql, async (transaction) => {
      const before = await this.require(transaction, by.caller.networks, uuid, true);
      requireVersion(before, expected);
      const after = await update(transaction, before);
      await this.audit(transaction, by, 'update', before, after);
      return after;
    });
  }

  /** Deletes a locked record; `remove` refuses one that is in use. */
  async remove<Result>(
    sql: Sql,
    by: Actor,
    uuid: string,
    expected: number | null,
    remove: (transaction: Transaction, before: Row) => Promise<Result>,
  ): Promise<Result> {
    return inTransaction(sql, async (transaction) => {
      const before = await this.require(transaction, by.caller.networks, uuid, true);
      requireVersion(before, expected);
      const result = await remove(transaction, before);
      await this.audit(transaction, by, 'delete', before, null);
      return result;
    });
  }

  /**
   * Writes the entry of a change.
   * @param more further values after the change.
   */
  async audit(
    transaction: Transaction,
    by: Actor | PartnerActor | OwnActor,
    action: string,
    before: Row | null,
    after: Row | null,
    more: object = {},
  ): Promise<void> {
    const { audited = (record) => record } = this.#kind;
    await auditChange(transaction, by, {
      ...this.entryOf((before ?? after) as Row, action),
      before: before && audited(before),
      after: after && { ...audited(after), ...more },
    });
  }

  /** Describes an action on a record in the audit log. */
  entryOf(record: Row, action: string): Omit<AuditedChange, 'before' | 'after'> {
    const { category, networkOf, nameOf } = this.#kind;
    return {
      networkId: networkOf(record),
      category,
      action,
      resourceId: record.uuid,
      resourceName: nameOf(record),
    };
  }
}

/** Runs `work` in a transaction. The driver's type of the result unwraps arrays, which a record is not. */
async function inTransaction<Result>(
  sql: Sql,
  work: (transaction: Transaction) => Promise<Result>,
): Promise<Result> {
  return (await sql.begin(work)) as Result;
}
