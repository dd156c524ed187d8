/** The webhook of Diun (REWRITES.md §8). */
import { lineAt, objectAt, scalarAt, has } from "../../fields.ts";
import * as looks from "../../looks.ts";
import { joined, testNotice } from "../../looks.ts";
import type { Source } from "../../tool.ts";
import { present } from "../../told.ts";
import { link } from "../../urls.ts";
import { yaml } from "../../../util/text/quoting.ts";

export const diun: Source<"diun"> = {
  name: "diun",
  title: "Diun",
  setup: {
    place: "diun.yml",
    withHook: (url) => [
      {
        label: "diun.yml",
        value: ["notif:", "  webhook:", `    endpoint: ${yaml(url)}`, "    method: POST"].join("\n"),
      },
    ],
  },
  fits: (payload) => has(payload, "diun_version", "image"),
  tell(payload) {
    const [image = "image", host] = [lineAt(payload, "image"), lineAt(payload, "hostname")];
    if (image.includes("diun/testnotif:")) return testNotice("diun", "Diun", host);
    const metadata = objectAt(payload, "metadata");
    const status = lineAt(payload, "status");
    const digest = lineAt(payload, "digest");
    return {
      ...looks.QUIET,
      title: `${image.replace(/^docker\.io\/(?:library\/)?/, "")} ${status === "new" ? "is available" : "has been updated"}`,
      lines: [
        joined([lineAt(metadata, "ctn_names", "svc_name", "pod_name"), host && `on ${host}`], " "),
        joined([lineAt(payload, "platform"), digest?.slice(0, SHORT)]),
      ],
      tags: ["diun", lineAt(payload, "provider"), host],
      url: link(scalarAt(payload, "hub_link")),
      key: `diun:${host ?? ""}:${image}`,
      data: present({ image, status, digest, platform: lineAt(payload, "platform"), host }),
    };
  },
};

/** `sha256:` and twelve digits, as Docker shows it. */
const SHORT = 19;
