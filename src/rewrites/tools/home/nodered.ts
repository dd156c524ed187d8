/** Node-RED: a flow to import, which publishes what arrives. */
import type { Tool } from "../../tool.ts";
import { string } from "../../../util/text/quoting.ts";

export const nodered: Tool<"nodered"> = {
  name: "nodered",
  title: "Node-RED",
  setup: {
    place: {
      en: "Menu, Import: publishes whatever arrives as payload",
      de: "Menü, Import: was als payload ankommt, wird veröffentlicht",
    },
    withKey: (url, key) => [{ label: "Flow", value: JSON.stringify(flow(url, key), null, 2) }],
  },
};

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
