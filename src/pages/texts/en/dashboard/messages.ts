/** One list of the messages of all topics. */

export const messages = {
  title: "Messages",
  search: "Search all messages",
  /** What nobody has acknowledged. */
  open: "Unacknowledged",
  noneOpen: "Everything is acknowledged",
  /** `{}`: a time. */
  searchedTo: "Searched back to {} so far.",
};
