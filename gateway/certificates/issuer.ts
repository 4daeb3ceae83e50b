import {
  type CertificateAuthority,
  RefusedRequest,
  type SubjectRule,
} from '#shared/certificates/authority.ts';
import type { ChargerIdentity } from '#shared/domain/fleet/charger.ts';
import type { SigningRequest } from '#shared/domain/commands/charger-messages.ts';
import type { Logger } from '#shared/log/log.ts';
import {
  recordChainInstalled,
  recordChainRefused,
  rejectCertificateRequest,
  storeSignedChain,
} from '#shared/postgres/commands/certificate-requests.ts';
import type { Sql } from '#shared/postgres/kernel/client.ts';

/** Sends a chain to a charger and resolves to whether it took it; rejects when it gave no answer. */
export type DeliverChain = (
  uid: string,
  chain: string,
  certificateType: SigningRequest['certificateType'],
) => Promise<boolean>;

/** A request that passed its check, as it is stored. */
export interface SigningJob extends SigningRequest {
  id: bigint;
  charger: ChargerIdentity;
  rule: SubjectRule;
  /** Signed already: the charger asked again. */
  chain: string | null;
}

/**
 * Signs what chargers ask for and brings it to them, after they were told that it will be: an authority may take
 * its time (2.0.1 A02). What is lost on the way is asked for again by the charger (CertSigningWaitMinimum).
 */
export class CertificateIssuer {
  readonly #sql: Sql;
  readonly #log: Logger;
  readonly #openAuthority: () => Promise<CertificateAuthority>;
  readonly #deliver: DeliverChain;
  #authority: Promise<CertificateAuthority> | null = null;
  /** Requests that are queued or in progress, by id. */
  readonly #issuing = new Set<bigint>();
  /** End of the last job of each charger, by the charger's id. */
  readonly #lastJobs = new Map<number, Promise<void>>();

  constructor(options: {
    sql: Sql;
    log: Logger;
    /** Called when the first certificate is asked for: most shards never need one. */
    openAuthority: () => Promise<CertificateAuthority>;
    deliver: DeliverChain;
  }) {
    this.#sql = options.sql;
    this.#log = options.log;
    this.#openAuthority = options.openAuthority;
    this.#deliver = options.deliver;
  }

  /** Why a request will not be signed; null: it will be. */
  async check({ csr, certificateType }: SigningRequest, rule: SubjectRule): Promise<string | null> {
    if (certificateType === 'V2GCertificate') return 'there is no authority for V2G certificates here';
    const { checkSigningRequest } = await import('#shared/certificates/signing-request.ts');
    try {
      await checkSigningRequest(csr, rule);
      return null;
    } catch (error) {
      if (error instanceof RefusedRequest) return error.message;
      throw error;
    }
  }

  /**
   * Signs and delivers in the background; the outcome is stored. Jobs of one charger run in order: the certificate that
   * is stored as installed is the one that the charger accepted last.
   */
  issue(job: SigningJob): void {
    if (this.#issuing.has(job.id)) return;
    this.#issuing.add(job.id);
    const chargerId = job.charger.id;
    const work = (this.#lastJobs.get(chargerId) ?? Promise.resolve())
      .then(() => this.#issue(job))
      .catch((error: unknown) => {
        this.#log.warn({ err: error, uid: job.charger.uid }, 'a certificate could not be issued');
      })
      .finally(() => {
        this.#issuing.delete(job.id);
        if (this.#lastJobs.get(chargerId) === work) this.#lastJobs.delete(chargerId);
      });
    this.#lastJobs.set(chargerId, work);
  }

  /** Resolves when no job is in progress. */
  async drain(): Promise<void> {
    await Promise.all(this.#lastJobs.values());
  }

  async #issue(job: SigningJob): Promise<void> {
    const authority = await this.#opened();
    const chain = job.chain ?? (await this.#sign(authority, job));
    if (chain === null) return;
    if (await this.#deliver(job.charger.uid, chain, job.certificateType)) {
      const { certificateHashData } = await import('#shared/certificates/hash-data.ts');
      const { leaf, issuer } = ends(chain, authority.root);
      await recordChainInstalled(this.#sql, job.id, {
        chargerId: job.charger.id,
        certificateType: 'ChargingStationCertificate',
        pem: leaf,
        ...(await certificateHashData(leaf, issuer)),
      });
    } else {
      await recordChainRefused(this.#sql, job.id, 'the charger rejected the certificate');
    }
  }

  async #sign(authority: CertificateAuthority, { id, csr, rule }: SigningJob): Promise<string | null> {
    try {
      const chain = await authority.sign(csr, rule);
      await storeSignedChain(this.#sql, id, chain);
      return chain;
    } catch (error) {
      if (!(error instanceof RefusedRequest)) throw error;
      await rejectCertificateRequest(this.#sql, id, error.message);
      return null;
    }
  }

  /** An authority that could not be opened is tried again with the next request. */
  #opened(): Promise<CertificateAuthority> {
    this.#authority ??= this.#openAuthority().catch((error: unknown) => {
      this.#authority = null;
      throw error;
    });
    return this.#authority;
  }
}

/** The charger's own certificate and the one that signed it: the next in the chain, or the root. */
function ends(chain: string, root: string): { leaf: string; issuer: string } {
  const [leaf, issuer] = chain.match(/-----BEGIN CERTIFICATE-----[^]+?-----END CERTIFICATE-----/g) ?? [];
  if (leaf === undefined) throw new Error('the authority gave a chain without a certificate');
  return { leaf, issuer: issuer ?? root };
}
