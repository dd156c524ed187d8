/** Home Assistant's `rest` notifier. */
import type { Tool } from "../../tool.ts";
import { yaml } from "../../../util/text/quoting.ts";

export const homeassistant: Tool<"homeassistant"> = {
  name: "homeassistant",
  title: "Home Assistant",
  setup: {
    place: {
      en: "configuration.yaml, then an action with notify.peal",
      de: "configuration.yaml, danach eine Aktion mit notify.peal",
    },
    withKey: (url, key) => [
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
};
