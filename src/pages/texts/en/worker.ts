/** The texts of the service worker, which are added to its script. */

export const worker = {
  acknowledge: "Acknowledge",
  notAcknowledged: "Couldn’t reach the server: not acknowledged",
  /** `{}`: the button. */
  notSent: "“{}” couldn’t be sent",
  /** Instead of the dashboard, without a connection. */
  offline: "No connection",
  offlineWhy:
    "The dashboard is private, so none of it is stored on this device. It opens again once the server can be reached.",
  again: "Try again",
};
