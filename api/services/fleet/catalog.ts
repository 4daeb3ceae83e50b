import type { DomainError } from '#shared/domain/kernel/errors.ts';
import { type Queryable, type Sql, type Transaction, violates } from '#shared/postgres/kernel/client.ts';
import { type Actor, type AuditedChange, auditChange } from '#api/services/access/audit.ts';
import { requireCatalogEditor } from '#api/services/access/callers.ts';
import { requireVersion } from '#api/services/kernel/edits.ts';

/** Record of the catalog that all networks share, such as a manufacturer. */
interface CatalogRecord {
  id: number;
  uuid: string;
  version: number;
}

/** Statements and errors of one kind of catalog record. */
export interface CatalogKind<Row extends CatalogRecord> {
  find(sql: Queryable, uuid: string, lock?: 'change' | 'keep'): Promise<Row | null>;
  isInUse(sql: Queryable, id: number): Promise<boolean>;
  remove(sql: Queryable, id: number): Promise<void>;
  /** Describes a change of a record in the audit log. */
  audited(record: Row, action: string): Omit<AuditedChange, 'before' | 'after'>;
  /** Constraint that keeps names unique. */
  nameConstraint: string;
  notFound(uuid: string): DomainError;
  nameExists(name: string | undefined): DomainError;
  inUse(): DomainError;
}

/** Reads and audited changes of one kind of catalog record. */
export class Catalog<Row extends CatalogRecord> {
  readonly #kind: CatalogKind<Row>;

  constructor(kind: CatalogKind<Row>) {
    this.#kind = kind;
  }

  /** Returns a record, locked if requested: for a `change`, or to `keep` it until the transaction ends. */
  async read(sql: Queryable, uuid: string, lock?: 'change' | 'keep'): Promise<Row> {
    const record = await this.#kind.find(sql, uuid, lock);
    if (record === null) throw this.#kind.notFound(uuid);
    return record;
  }

  async create(
    sql: Sql,
    by: Actor,
    name: string,
    insert: (transaction: Transaction) => Promise<Row>,
  ): Promise<Row> {
    requireCatalogEditor(by.caller);
    return this.#withUniqueName(name, () =>
      inTransaction(sql, async (transaction) => {
        const after = await insert(transaction);
        await auditChange(transaction, by, { ...this.#kind.audited(after, 'create'), before: null, after });
        return after;
      }),
    );
  }

  /** Changes a record whose version is `expected`; any version when `expected` is null. */
  async change(
    sql: Sql,
    by: Actor,
    { uuid, expected, name }: { uuid: string; expected: number | null; name: string | undefined },
    update: (transaction: Transaction, before: Row) => Promise<Row>,
  ): Promise<Row> {
    requireCatalogEditor(by.caller);
    return this.#withUniqueName(name, () =>
      inTransaction(sql, async (transaction) => {
        const before = await this.read(transaction, uuid, 'change');
        requireVersion(before, expected);
        const after = await update(transaction, before);
        await auditChange(transaction, by, { ...this.#kind.audited(before, 'update'), before, after });
        return after;
      }),
    );
  }

  /** Deletes a record that nothing refers to. */
  async remove(sql: Sql, by: Actor, uuid: string, expected: number | null): Promise<void> {
    requireCatalogEditor(by.caller);
    await sql.begin(async (transaction) => {
      const before = await this.read(transaction, uuid, 'change');
      requireVersion(before, expected);
      if (await this.#kind.isInUse(transaction, before.id)) throw this.#kind.inUse();
      await this.#kind.remove(transaction, before.id);
      await auditChange(transaction, by, { ...this.#kind.audited(before, 'delete'), before, after: null });
    });
  }

  async #withUniqueName(name: string | undefined, store: () => Promise<Row>): Promise<Row> {
    try {
      return await store();
    } catch (error) {
      if (violates(error, this.#kind.nameConstraint)) throw this.#kind.nameExists(name);
      throw error;
    }
  }
}

/** Runs `work` in a transaction. The driver's type of the result unwraps arrays, which a record is not. */
async function inTransaction<Row>(sql: Sql, work: (transaction: Transaction) => Promise<Row>): Promise<Row> {
  return (await sql.begin(work)) as Row;
}
