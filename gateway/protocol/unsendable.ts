/** Error of a command that the charger's version of OCPP has no message for; the message is for the caller. */
export class UnsendableCommand extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'UnsendableCommand';
  }
}
