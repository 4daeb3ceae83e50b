/** What a payment provider has a driver do to pay. */
export interface Checkout {
  /** What the provider names the payment by. */
  reference: string;
  /** What the driver's app finishes the payment with, in the provider's own component; it opens nothing else. */
  clientSecret: string;
}

/** A payment that is wanted; the amount in minor units of its currency. */
export interface WantedPayment {
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

/** What a provider tells of a payment. `refunds-changed`: how much went back is to be asked for. */
export interface PaymentEvent {
  /** Of the event: the same one may be told again. */
  id: string;
  type: 'paid' | 'cancelled' | 'refunds-changed';
  reference: string;
  /** Null: the payment does not carry our name of it. */
  topUpUuid: string | null;
  /** What came in, for `paid`; otherwise null. */
  paid: PaidAmount | null;
}

/** A payment provider: takes drivers' money, and tells of it by signed events. */
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
   * Returns how much of a payment went back in all, refunded or taken back by the driver's bank; null when nothing was paid.
   * @throws {DomainError} PAYMENT_PROVIDER_FAILED.
   */
  readRefunded(reference: string): Promise<PaidAmount | null>;
}

/** The payment provider; null: payments are off. */
export interface PaymentDeps {
  payments: PaymentProvider | null;
}
