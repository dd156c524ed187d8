/** A step of a GitHub workflow that publishes if the job failed. */
import type { Tool } from "../../tool.ts";
import { sh } from "../../../util/text/quoting.ts";

export const githubactions: Tool<"githubactions"> = {
  name: "githubactions",
  title: "GitHub Actions",
  setup: {
    place: {
      en: "A final step in the job; the key is a repository secret, PEAL_KEY",
      de: "Als letzter Schritt des Jobs; der Schlüssel ist ein Secret des Repositorys, PEAL_KEY",
    },
    withKey: (url) => [
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
};
