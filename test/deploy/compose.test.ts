/** The compose files and the templates for NAS systems start the image that the Dockerfile describes. */
import { describe, expect, test } from "bun:test";
import { settings } from "../../src/config/schema.ts";
import { testWith } from "../support/tools.ts";
import { composeAt, image, run, textOf } from "./files.ts";

const PLAIN = ["compose.yaml", "compose.caddy.yaml", "compose.tailscale.yaml"];
const NAS = ["nas/synology.yaml", "nas/truenas.yaml", "nas/casaos.yaml"];

testWith("check-jsonschema")("all are valid by the schema of the compose specification", async () => {
  const files = [...PLAIN, ...NAS].map((file) => `deploy/${file}`);
  const { code, said } = await run(["check-jsonschema", "--builtin-schema", "vendor.compose-spec", ...files]);
  expect({ code, said }).toMatchObject({ code: 0 });
});

describe.each([...PLAIN, ...NAS])("%s", (file) => {
  const { peal } = composeAt(file).services;

  test("names the port, volume and health check of the image", () => {
    const [port = ""] = peal.ports ?? []; // the second, where there is one, is of https
    expect(typeof port === "string" ? port : `${port.published}:${port.target}`).toMatch(
      new RegExp(`^(${image.port}|\\$\\{PEAL_PORT:-${image.port}\\}):${image.port}$`),
    );
    const targets = peal.volumes.map((volume) => (typeof volume === "string" ? volume.split(":")[1] : volume.target));
    expect(targets).toEqual([image.volume]);
    expect(peal.healthcheck).toEqual(image.health);
  });

  test("gives it no more than it needs, and starts it again", () => {
    expect(peal).toMatchObject({ read_only: true, cap_drop: ["ALL"], security_opt: ["no-new-privileges:true"] });
    expect(peal.restart).toBe("unless-stopped");
    // to hand the folder to PUID and to become it
    expect(peal.cap_add).toEqual(peal.user === "0" ? ["CHOWN", "SETUID", "SETGID"] : undefined);
  });

  test("sets only what peal knows", () => {
    const known = [...settings.map(({ env }) => env), "TZ", "PUID", "PGID"];
    expect(Object.keys(peal.environment ?? {}).filter((name) => !known.includes(name))).toEqual([]);
  });
});

test("without any setting, compose.yaml has a name for the image and the ports, and a volume of its own", () => {
  const { services, volumes = {} } = composeAt("compose.yaml");
  const variables = ["${PEAL_IMAGE:-peal}", "${PEAL_PORT:-7325}", "${PEAL_TLS_PORT:-7326}"];
  expect([...textOf("compose.yaml").matchAll(/\$\{[^}]*\}/g)].map(([variable]) => variable)).toEqual(variables);
  expect(services.peal.user).toBeUndefined();
  expect(Object.keys(volumes)).toEqual(["data"]);
  expect(services.peal.volumes).toEqual([`data:${image.volume}`]);
});

test("compose.yaml publishes the port of built-in https", () => {
  const [, port] = composeAt("compose.yaml").services.peal.ports ?? [];
  const { default: listen = "" } = settings.find(({ env }) => env === "PEAL_LISTEN_TLS") ?? {};
  expect(port).toBe(`\${PEAL_TLS_PORT:-7326}:${listen.split(":").at(-1)}`);
});

test("the container is called peal, whatever starts it, so that all pages may say `docker exec peal`", () => {
  for (const file of [...PLAIN, ...NAS])
    expect([file, composeAt(file).services.peal.container_name]).toEqual([file, "peal"]);
  expect(textOf("peal.container")).toContain("ContainerName=peal\n");
  expect(textOf("nas/unraid.xml")).toContain("<Name>peal</Name>");
});

test.each(["compose.caddy.yaml", "compose.tailscale.yaml"])(
  "%s differs from compose.yaml only in what the proxy needs, and trusts its address alone",
  (file) => {
    const { services, networks = {} } = composeAt(file);
    const { environment = {}, networks: own, ...shared } = services.peal;
    const plain = composeAt("compose.yaml").services.peal;
    const [port] = plain.ports ?? [];
    expect<object>({ ...shared, environment: plain.environment }).toEqual({ ...plain, ports: [port] }); // https is the proxy's
    expect(own).toEqual(["proxied"]);
    const [proxy] = Object.values(services).filter((service) => service !== services.peal);
    const { proxied } = (proxy?.networks ?? {}) as Record<string, { ipv4_address?: string }>;
    const address = proxied?.ipv4_address ?? "none";
    expect(environment["PEAL_TRUSTED_PROXIES"]).toBe(`127.0.0.0/8,::1/128,${address}`);
    expect(networks["proxied"]?.ipam.config).toEqual([{ subnet: address.replace(/\d+$/, "0/24") }]);
    expect(proxy?.cap_drop).toEqual(["ALL"]);
  },
);

test("Tailscale gives its certificate's name to peal at its port", () => {
  const { peal, tailscale } = composeAt("compose.tailscale.yaml").services;
  expect(peal.image).toBe("${PEAL_IMAGE:-peal}");
  expect(tailscale?.environment).toMatchObject({ TS_SERVE_CONFIG: "/config/serve.json" });
  expect(tailscale?.volumes).toContain("./tailscale:/config:ro");
  expect(JSON.parse(textOf("tailscale/serve.json"))).toEqual({
    TCP: { 443: { HTTPS: true } },
    Web: { "${TS_CERT_DOMAIN}:443": { Handlers: { "/": { Proxy: `http://peal:${image.port}` } } } },
  });
});

test("CasaOS is told which service has the page, and at which port", () => {
  const { "x-casaos": about, services } = composeAt("nas/casaos.yaml");
  expect(about).toMatchObject({ main: "peal", port_map: image.port });
  expect(Object.keys(services)).toEqual(["peal"]);
});

testWith("python3")(
  "Unraid's template is XML with the port and volume of the image, and leaves its health check alone",
  async () => {
    const script = `
import json, sys, xml.etree.ElementTree as tree
root = tree.parse("deploy/nas/unraid.xml").getroot()
configs = [[c.get("Type"), c.get("Target"), c.get("Default"), c.text] for c in root.findall("Config")]
print(json.dumps({"configs": configs, **{name: root.findtext(name) for name in ["WebUI", "ExtraParams"]}}))`;
    const { said } = await run(["python3", "-c", script]);
    const { configs, WebUI, ExtraParams } = JSON.parse(said) as {
      configs: string[][];
      WebUI: string;
      ExtraParams: string;
    };
    expect(configs).toContainEqual(["Port", image.port, image.port, image.port]);
    expect(configs.filter(([type]) => type === "Path").map(([, target]) => target)).toEqual([image.volume]);
    const known = [...settings.map(({ env }) => env), "PUID", "PGID"];
    const set = configs.flatMap(([type, target = ""]) => (type === "Variable" ? [target] : []));
    expect(set).toContain("PUID");
    expect(set.filter((name) => !known.includes(name))).toEqual([]);
    expect(WebUI).toBe(`http://[IP]:[PORT:${image.port}]/`);
    expect(ExtraParams).not.toContain("health"); // docker run gives a health command to a shell, and the image has none
    expect(ExtraParams).toContain(
      "--user 0 --read-only --cap-drop ALL --cap-add CHOWN --cap-add SETUID --cap-add SETGID",
    );
  },
);
