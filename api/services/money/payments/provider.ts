/** Payment step that a provider presents to a driver. */
interface Checkout {
  /** Provider's identifier of the payment. */
  reference: string;
  /**
   * Secret with which the driver's app finishes the payment in the provider's own component; it gives no
   * other access.
   */
  clientSecret: string;
}

/** A payment that is wanted; the amount in minor units of its currency. */
interface WantedPayment {
  /** Our name of it; it comes back with the events. The same one again is the same payment. */
  topUpUuid: string;
  amountMinor: bigint;
  currency: string;
}

/** An amount in minor units of a currency. */
export interface PaidAmount {
  amountMinor: bigint;
  currency: string;
}

/** Payment event of a provider. `refunds-changed`: the refunded sum must be read. */
export interface PaymentEvent {
  /** Identifier of the event, which can be delivered repeatedly. */
  id: string;
  type: 'paid' | 'cancelled' | 'refunds-changed';
  reference: string;
  /** Null: the payment does not carry our name of it. */
  topUpUuid: string | null;
  /** Received amount, for `paid`; otherwise null. */
  paid: PaidAmount | null;
}

/** Payment provider: collects drivers' money, and reports it by signed events. */
export interface PaymentProvider {
  readonly name: string;
  /**
   * Begins a payment.
   * @throws {DomainError} VALIDATION_FAILED for an amount that it does not take; PAYMENT_PROVIDER_FAILED.
   */
  beginPayment(payment: WantedPayment): Promise<Checkout>;
  /**
   * The event in the body of a webhook; null: it is of no interest.
   * @throws {DomainError} SIGNATURE_INVALID.
   */
  readEvent(body: Buffer, signature: string | undefined): PaymentEvent | null;
  /**
   * Returns the total refunded or charged back of a payment. Null when nothing was paid.
   * @throws {DomainError} PAYMENT_PROVIDER_FAILED.
   */
  readRefunded(reference: string): Promise<PaidAmount | null>;
}

/** The payment provider; null: payments are off. */
export interface PaymentDeps {
  payments: PaymentProvider | null;
}
