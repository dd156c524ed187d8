/** The start page. */

export const home = {
  title: "peal is running",
  lede: "Messages that were published here are read by the share link of their topic.",
  publish: "Publish a message",
  publishHint:
    "$KEY is an API key. The first part of the address is its namespace, the second the topic, which is made when it is new.",
  read: "Read a topic",
  readBefore: "The answer to a published message has a ",
  readAfter: ": the topic's share link. Anyone who has it can read the topic, and nobody else.",
  docs: "All of the HTTP API",
};
