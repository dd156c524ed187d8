/**
 * How to publish from a command line or a language: one source for all pages. Values are quoted for their place, so that no name
 * or text is taken for something else.
 */
import { powerShell, sh, string } from "../../util/text/quoting.ts";

export interface Target {
  /** Absolute URL of `/{ns}/{name}`. */
  url: string;
  text: string;
  /** A key, or its placeholder; `undefined` for `$KEY`: then it is read from the environment. */
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
