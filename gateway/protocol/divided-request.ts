/** A request with a list that may be too long for one message to a charger. */
export interface DividedRequest {
  /** Names the variables with the charger's limits: `<component>.ItemsPerMessage[<instance>]` and `BytesPerMessage`. */
  limits: LimitName;
  items: readonly unknown[];
  /** Returns the same request with these items only. */
  withItems(items: readonly unknown[]): unknown;
  /** Joins valid answers to consecutive parts into the answer to the whole request. */
  merge(answers: readonly unknown[]): unknown;
}

export interface LimitName {
  component: 'DeviceDataCtrlr' | 'MonitoringCtrlr';
  instance: string;
}

/** Limits of one message to a charger; null: the charger states none. */
export interface MessageLimits {
  items: number | null;
  /** Size of the whole frame in bytes of UTF-8. */
  bytes: number | null;
}
