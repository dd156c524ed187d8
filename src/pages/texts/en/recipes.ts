/** What we say of the tools that publish; their own words stand in tools.ts and recipes.ts. */

export const recipes = {
  homeAssistant: "configuration.yaml, then an action with notify.peal",
  githubActions: "A final step in the job; the key is a repository secret, PEAL_KEY",
  apprise: "A command, or a line in its configuration file",
  command: "Command",
  systemd: "A unit that starts when another one fails",
  aboveJobs: "Above the jobs",
  behindJob: "After a job",
  restic: "A script around restic, or the commands of borgmatic",
  resticScript: "restic, as a script",
  smartd: "smartd.conf and a script it runs",
  nodeRed: "Menu, Import: publishes whatever arrives as payload",
  alertmanager: "A receiver in its configuration file",
  authentik: "Events, Notification Transports, Create; then choose it in a notification rule",
  jellyfin: "Dashboard, Plugins, Webhook (from the catalogue), Add Generic Destination; then choose what it sends",
  switchOn: "Turn on",
  watchtower: "The environment of its container",
};
