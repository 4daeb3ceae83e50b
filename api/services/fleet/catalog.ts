import type { DomainError } from '#shared/domain/kernel/errors.ts';
import { type Queryable, type Sql, type Transaction, violates } from '#shared/postgres/kernel/client.ts';
import type { Actor } from '#api/services/access/audit.ts';
import type { AuditedRecords } from '#api/services/access/audited-records.ts';
import { requireCatalogEditor } from '#api/services/access/callers.ts';

/** Record of the catalog that all networks share, such as a manufacturer. */
interface CatalogRecord {
  id: number;
  uuid: string;
  version: number;
}

/** Statements and errors of one kind of catalog record. */
interface CatalogKind<Row extends CatalogRecord> {
  records: AuditedRecords<Row>;
  isInUse: (sql: Queryable, id: number) => Promise<boolean>;
  remove: (sql: Queryable, id: number) => Promise<void>;
  /** Constraint that keeps names unique. */
  nameConstraint: string;
  nameExists(name: string | undefined): DomainError;
  inUse: () => DomainError;
}

/** Changes of one kind of catalog record, by callers who may edit the catalog. */
export class Catalog<Row extends CatalogRecord> {
  readonly #kind: CatalogKind<Row>;

  constructor(kind: CatalogKind<Row>) {
    this.#kind = kind;
  }

  async create(
    sql: Sql,
    by: Actor,
    name: string,
    insert: (transaction: Transaction) => Promise<Row>,
  ): Promise<Row> {
    requireCatalogEditor(by.caller);
    return this.#withUniqueName(name, () => this.#kind.records.create(sql, by, insert));
  }

  /** Changes a record whose version is `expected`; any version when `expected` is null. */
  async change(
    sql: Sql,
    by: Actor,
    { uuid, expected, name }: { uuid: string; expected: number | null; name: string | undefined },
    update: (transaction: Transaction, before: Row) => Promise<Row>,
  ): Promise<Row> {
    requireCatalogEditor(by.caller);
    return this.#withUniqueName(name, () => this.#kind.records.change(sql, by, uuid, expected, update));
  }

  /** Deletes a record that nothing refers to. */
  async remove(sql: Sql, by: Actor, uuid: string, expected: number | null): Promise<void> {
    requireCatalogEditor(by.caller);
    const { records, isInUse, remove, inUse } = this.#kind;
    await records.remove(sql, by, uuid, expected, async (transaction, { id }) => {
      if (await isInUse(transaction, id)) throw inUse();
      await remove(transaction, id);
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
