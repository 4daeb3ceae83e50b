/** A variable of the environment is missing or wrong; the message names it. */
export class ConfigError extends Error {
  constructor(problems: string[]) {
    super(`The configuration is wrong:\n${problems.map((problem) => `  ${problem}`).join('\n')}`);
    this.name = 'ConfigError';
  }
}
