/** What the service worker says: handed to it with its script. */

export const worker = {
  acknowledge: "Acknowledge",
  notAcknowledged: "That did not reach the server: not acknowledged",
  /** `{}`: the button. */
  notSent: "“{}” could not be sent",
};
