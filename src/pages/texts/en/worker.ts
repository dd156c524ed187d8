/** What the service worker says: handed to it with its script. */

export const worker = {
  acknowledge: "Acknowledge",
  notAcknowledged: "Couldn’t reach the server: not acknowledged",
  /** `{}`: the button. */
  notSent: "“{}” couldn’t be sent",
};
