/** A store server that this process started and looks after. */
export interface EmbeddedStore {
  /** Connection URL with user and password, on 127.0.0.1 or, by its parameter `host`, a Unix socket. It stays the same when the server is restarted. */
  readonly url: string;
  /** Process id of the server that runs now; changes when a died server was restarted. */
  readonly pid: number;
  /** Stops the server in order and gives its directory free. Further calls return the same promise. */
  stop(): Promise<void>;
}

/** Receives one log line of a store server, or of the code that supervises it. */
export type StoreLog = (line: string) => void;
