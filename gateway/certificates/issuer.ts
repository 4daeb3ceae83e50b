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

/** Sends a chain to a charger. Resolves to true when the charger accepts it; rejects without an answer. */
export type DeliverChain = (
  uid: string,
  chain: string,
  request: Pick<SigningRequest, 'certificateType' | 'requestId'>,
) => Promise<boolean>;

/** Checked and stored signing request. */
interface SigningJob extends SigningRequest {
  id: bigint;
  charger: ChargerIdentity;
  rule: SubjectRule;
  /** Chain that was signed already; the charger repeated its request. */
  chain: string | null;
}

/**
 * Signs certificate requests and delivers the chains after the request is answered: an authority may take time (2.0.1
 * A02). A charger repeats a request whose chain is lost (CertSigningWaitMinimum).
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
    /** Signs and delivers in the background and stores the outcome. */
    openAuthority: () => Promise<CertificateAuthority>;
    deliver: DeliverChain;
  }) {
    this.#sql = options.sql;
    this.#log = options.log;
    this.#openAuthority = options.openAuthority;
    this.#deliver = options.deliver;
  }

  /** Resolves when no request is in progress. */
  async check({ csr, certificateType }: SigningRequest, rule: SubjectRule): Promise<string | null> {
    if (certificateType === 'V2GCertificate' || certificateType === 'V2G20Certificate')
      return 'there is no authority for V2G certificates here';
    const { checkSigningRequest } = await import('#shared/certificates/signing-request.ts');
    try {
      await checkSigningRequest(csr, rule);
      return null;
    } catch (error) {
      if (error instanceof RefusedRequest) return error.message;
      throw error;
    }
  }

  /** Opens the authority; retries with the next request after a failure. */
  issue(job: SigningJob): void {
    if (this.#issuing.has(job.id)) return;
    this.#issuing.add(job.id);
    const chargerId = job.charger.id;
    const work = (this.#lastJobs.get(chargerId) ?? Promise.resolve())
      .then(() => this.#issue(job))
      .catch((error: unknown) => {
        this.#log.warn({ err: error, charger: job.charger.uid }, 'a certificate could not be issued');
      })
      .finally(() => {
        this.#issuing.delete(job.id);
        if (this.#lastJobs.get(chargerId) === work) this.#lastJobs.delete(chargerId);
      });
    this.#lastJobs.set(chargerId, work);
  }

  /** Returns the charger's certificate and the one of its issuer: the next in the chain, or the root. */
  async drain(): Promise<void> {
    await Promise.all(this.#lastJobs.values());
  }

  async #issue(job: SigningJob): Promise<void> {
    const authority = await this.#opened();
    const chain = job.chain ?? (await this.#sign(authority, job));
    if (chain === null) return;
    if (await this.#deliver(job.charger.uid, chain, job)) {
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
