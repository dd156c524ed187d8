/** What we say of the tools that publish; their own words stand in tools.ts and recipes.ts. */

export const recipes = {
  homeAssistant: "configuration.yaml, then an action with notify.peal",
  githubActions: "A last step of the job; the key is a secret of the repository, PEAL_KEY",
  apprise: "A command, or a line of its configuration file",
  command: "Command",
  systemd: "A unit that is started when another one fails",
  aboveJobs: "Above the jobs",
  behindJob: "Behind a job",
  restic: "A script around restic, or the commands of borgmatic",
  resticScript: "restic, as a script",
  smartd: "smartd.conf and a script that it runs",
  nodeRed: "Menu, Import: what comes in as payload is published",
  alertmanager: "A receiver of its configuration file",
  authentik: "Events, Notification Transports, Create; then choose it in a notification rule",
  jellyfin: "Dashboard, Plugins, Webhook (from the catalogue), Add Generic Destination; then choose what it sends",
  switchOn: "Switch on",
  watchtower: "The environment of its container",
};
