/** What the starter tells the server process, once. Not on the command line, where every account could read it. */
export interface StartMessage {
  dataDir: string;
  /** 0 for any free port. */
  port: number;
  password: string;
  sessions: number;
}

/** What the server process answers, once. */
export type StartedMessage = { port: number } | { error: string };
