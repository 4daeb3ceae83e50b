/**
 * Message from the starter to the server process, sent once. It is not on the command line, which every account can
 * read.
 */
export interface StartMessage {
  dataDir: string;
  /** 0 for any free port. */
  port: number;
  password: string;
  sessions: number;
  /** Arguments of the engine, as those of clickhouse-local. */
  engineArguments: readonly string[];
}

/** Reply of the server process, sent once. */
export type StartedMessage = { port: number } | { error: string };
