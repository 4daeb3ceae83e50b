/** The command cannot be said in the charger's version of OCPP; the message tells what, for the caller. */
export class UnsendableCommand extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'UnsendableCommand';
  }
}
