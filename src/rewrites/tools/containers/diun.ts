/** The webhook of Diun (REWRITES.md §8). */
import { field, lineAt, object, scalar } from "../../fields.ts";
import * as looks from "../../looks.ts";
import { joined, testNotice } from "../../looks.ts";
import type { Source } from "../../tool.ts";
import { brief } from "../../text.ts";
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
  fits: (payload) => Object.hasOwn(payload, "diun_version") && Object.hasOwn(payload, "image"),
  tell(payload) {
    const [image = "image", host] = [lineAt(payload, "image"), lineAt(payload, "hostname")];
    if (image.includes("diun/testnotif:")) return testNotice("diun", "Diun", host);
    const metadata = object(field(payload, "metadata"));
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
      url: link(scalar(field(payload, "hub_link"))),
      key: `diun:${host ?? ""}:${image}`,
      data: {
        source: "diun",
        image: brief(image),
        status: brief(status),
        digest: brief(digest),
        platform: brief(lineAt(payload, "platform")),
        host: brief(host),
      },
    };
  },
};

/** `sha256:` and twelve digits, as Docker shows it. */
const SHORT = 19;
