/** The texts at the top of a page: what somebody should act on, and what somebody is on. */

export const open = {
  title: "Open now",
  handled: "Being handled",
  more: "There’s more open than fits here.",
  /** `{}`: a time. */
  asks: "unacknowledged since {}",
  /** For an alert that has fired for longer than the search goes back. */
  came: "still firing at {}",
  taken: (by: string | undefined) => `${by ?? "Someone"} has been on it since {}.`,
  quiet: "Quiet until {}.",
  /** On pages that do not say why. */
  muted: "Notifications are muted until {}, urgent ones too.",
  /** Beside the name of a topic. */
  mutedTopic: "muted until {}",
  topicMuted: (topic: string) => `Topic ${topic} is muted until {}.`,
  allMuted: "Everything is muted until {}, urgent messages too.",
};
