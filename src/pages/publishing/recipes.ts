/**
 * How to publish from a command line, a language or a tool's configuration: one source for all pages. What is filled in is
 * quoted for where it stands, so that no name or text is read as something else.
 */
import { crontab, powerShell, sh, string, unit, yaml } from "../../util/text/quoting.ts";
import { PROXMOX, PROXMOX_PLACE, proxmoxSettings, TRUENAS, TRUENAS_PLACE, trueNasSettings } from "./hook-tools.ts";
import { POST, withKey, type Tool } from "./tools.ts";

export interface Target {
  /** Absolute URL of `/{ns}/{name}`. */
  url: string;
  text: string;
  /** A key, or what stands for it; `undefined` for `$KEY`: then it is read from the environment. */
  secret?: string;
}

/** A command or program that publishes `text`. */
export interface Snippet {
  name: string;
  command: string;
}

export function snippets({ url, text, secret }: Target): Snippet[] {
  const bearer = secret === undefined ? '"Authorization: Bearer $KEY"' : sh(`Authorization: Bearer ${secret}`);
  const variable = (read: string) => (secret === undefined ? `"Bearer " + ${read}` : string(`Bearer ${secret}`));
  return [
    { name: "curl", command: `curl -H ${bearer} \\\n     -d ${sh(text)} ${sh(url)}` },
    {
      name: "PowerShell",
      command: [
        `Invoke-RestMethod -Method Post -Body ${powerShell(text)} \``,
        `  -Headers @{ Authorization = ${secret === undefined ? '"Bearer $env:KEY"' : powerShell(`Bearer ${secret}`)} } \``,
        `  -Uri ${powerShell(url)}`,
      ].join("\n"),
    },
    {
      name: "Python",
      command: [
        `import ${secret === undefined ? "os, " : ""}urllib.request`,
        "urllib.request.urlopen(urllib.request.Request(",
        `    ${string(url)},`,
        `    ${string(text)}.encode(), {"Authorization": ${variable('os.environ["KEY"]')}}))`,
      ].join("\n"),
    },
    { name: "wget", command: `wget -qO- --header=${bearer} \\\n     --post-data=${sh(text)} ${sh(url)}` },
    {
      name: "JavaScript",
      command: [
        `await fetch(${string(url)}, {`,
        '  method: "POST",',
        `  headers: { authorization: ${variable("process.env.KEY")} },`,
        `  body: ${string(text)},`,
        "});",
      ].join("\n"),
    },
    {
      name: "Go",
      command: [
        "package main",
        "",
        "import (",
        '\t"log"',
        '\t"net/http"',
        ...(secret === undefined ? ['\t"os"'] : []),
        '\t"strings"',
        ")",
        "",
        "func main() {",
        `\trequest, err := http.NewRequest("POST", ${string(url)}, strings.NewReader(${string(text)}))`,
        "\tif err != nil {",
        "\t\tlog.Fatal(err)",
        "\t}",
        `\trequest.Header.Set("Authorization", ${variable('os.Getenv("KEY")').replace(" + ", "+")})`, // as gofmt has it
        "\tanswer, err := http.DefaultClient.Do(request)",
        "\tif err != nil {",
        "\t\tlog.Fatal(err)",
        "\t}",
        "\tlog.Print(answer.Status)",
        "}",
      ].join("\n"),
    },
  ];
}

/** Tools that run a command or fill a form of their own. Each has the topic of the page. */
export const RECIPES: readonly Tool[] = [
  {
    id: "home-assistant",
    name: "Home Assistant",
    topic: "house",
    place: (say) => say.homeAssistant,
    settings: (url, key) => [
      {
        label: "configuration.yaml",
        value: [
          "notify:",
          "  - name: peal",
          "    platform: rest",
          `    resource: ${yaml(url)}`,
          "    method: POST_JSON",
          "    headers:",
          `      Authorization: ${yaml(`Bearer ${key}`)}`,
          "    title_param_name: title",
        ].join("\n"),
      },
    ],
  },
  {
    id: "github-actions",
    name: "GitHub Actions",
    topic: "builds",
    place: (say) => say.githubActions,
    settings: (url) => [
      {
        label: ".github/workflows/build.yml",
        value: [
          "- if: failure()",
          "  env:",
          "    KEY: ${{ secrets.PEAL_KEY }}",
          "  run: >-",
          '    curl -fsS -o /dev/null --retry 3 -H "Authorization: Bearer $KEY"',
          '    -d "$GITHUB_WORKFLOW failed: $GITHUB_SERVER_URL/$GITHUB_REPOSITORY/actions/runs/$GITHUB_RUN_ID"',
          `    ${sh(`${url}?level=error`)}`,
        ].join("\n"),
      },
    ],
  },
  {
    id: "apprise",
    name: "Apprise",
    topic: "apprise",
    place: (say) => say.apprise,
    settings: (url, key) => [
      { label: (say) => say.command, value: `apprise -t "Backup" -b "Finished" ${sh(appriseUrl(url, key))}` },
    ],
  },
  {
    id: "systemd",
    name: "systemd",
    topic: "units",
    place: (say) => say.systemd,
    settings: (url, key) => [
      { label: "/etc/peal.env (0600)", value: `KEY=${key}` },
      {
        label: "/etc/systemd/system/peal@.service",
        value: [
          "[Unit]",
          "Description=Tell that %i failed",
          "",
          "[Service]",
          "Type=oneshot",
          "EnvironmentFile=/etc/peal.env",
          'ExecStart=/usr/bin/curl -fsS -o /dev/null --retry 3 -H "Authorization: Bearer ${KEY}" \\',
          `  -d "%i failed on %H" ${unit(`${url}?level=error`)}`,
        ].join("\n"),
      },
      { label: "/etc/systemd/system/<name>.service.d/peal.conf", value: "[Unit]\nOnFailure=peal@%N.service" },
    ],
  },
  {
    id: "cron",
    name: "cron",
    topic: "jobs",
    place: "crontab -e",
    settings: (url, key) => [
      { label: (say) => say.aboveJobs, value: `KEY=${key}` },
      {
        label: (say) => say.behindJob,
        value: `30 3 * * * /usr/local/bin/backup || ${curl("-d 'Backup failed'", crontab(`${url}?level=error`))}`,
      },
    ],
  },
  {
    id: "restic",
    name: "restic, borgmatic",
    topic: "backups",
    place: (say) => say.restic,
    settings: (url, key) => [
      {
        label: (say) => say.resticScript,
        value: [
          "#!/bin/sh",
          `KEY=${sh(key)}`,
          "restic backup /srv",
          "code=$?",
          'level=success; [ "$code" -eq 0 ] || level=error',
          curl('-d "restic ended with $code"', `${sh(`${url}?level=`)}"$level"`),
          'exit "$code"',
        ].join("\n"),
      },
      {
        label: "borgmatic, config.yaml",
        value: [
          "commands:",
          "  - after: error",
          "    run:",
          `      - ${yaml(`KEY=${sh(key)}; ${curl('-d "borgmatic failed"', sh(`${url}?level=error`))}`)}`,
        ].join("\n"),
      },
    ],
  },
  {
    id: "smartd",
    name: "smartd",
    topic: "disks",
    place: (say) => say.smartd,
    settings: (url, key) => [
      { label: "/etc/smartd.conf", value: "DEVICESCAN -a -m <nomailer> -M exec /usr/local/bin/smartd-peal" },
      {
        label: "/usr/local/bin/smartd-peal (0700)",
        value: [
          "#!/bin/sh",
          `KEY=${sh(key)}`,
          curl(
            '-d "level=error" --data-urlencode "title=SMART: $SMARTD_DEVICE" --data-urlencode "message=$SMARTD_MESSAGE"',
            sh(url),
          ),
        ].join("\n"),
      },
    ],
  },
  {
    id: "proxmox",
    name: PROXMOX,
    topic: "proxmox",
    place: PROXMOX_PLACE,
    settings: (url, key) => [
      ...proxmoxSettings(url, [{ label: "Header Authorization", value: "Bearer {{ secrets.key }}" }]),
      { label: "Secret key", value: key },
    ],
  },
  {
    id: "synology",
    name: "Synology",
    topic: "synology",
    place: "Control Panel, Notification, Webhooks, Add, Custom",
    settings: (url, key) => [
      { label: "Webhook URL", value: url },
      POST,
      { label: "Content Type", value: "application/json", isChoice: true },
      { label: "HTTP header Authorization", value: `Bearer ${key}` },
      { label: "HTTP body", value: '{"title": "Synology", "message": "@@TEXT@@"}' },
    ],
  },
  {
    id: "truenas",
    name: TRUENAS,
    topic: "truenas",
    place: TRUENAS_PLACE,
    settings: (url, key) => trueNasSettings(withKey(url, key)),
  },
  {
    id: "node-red",
    name: "Node-RED",
    topic: "flows",
    place: (say) => say.nodeRed,
    settings: (url, key) => [{ label: "Flow", value: JSON.stringify(flow(url, key), null, 2) }],
  },
];

/** Of jobs: what they print is mailed or logged, and the answer has the topic's link in it. */
const curl = (options: string, quotedUrl: string): string =>
  `curl -fsS -o /dev/null --retry 3 -H "Authorization: Bearer $KEY" ${options} ${quotedUrl}`;

const flow = (url: string, key: string) => [
  {
    id: "peal-message",
    type: "function",
    name: "message",
    func: [
      `msg.headers = { authorization: ${string(`Bearer ${key}`)} };`,
      "msg.payload = { message: String(msg.payload) };",
      "return msg;",
    ].join("\n"),
    outputs: 1,
    wires: [["peal-publish"]],
  },
  { id: "peal-publish", type: "http request", name: "peal", method: "POST", ret: "txt", url, wires: [[]] },
];

/** Its `json://` posts fields that we read and others that we pass over; the key goes as the password. */
const appriseUrl = (url: string, key: string): string => withKey(url, key).replace(/^http/, "json");
