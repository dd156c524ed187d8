/** The files of deploy/, and what the image says of itself. */
import { expect } from "bun:test";
import { PATH } from "../tools.ts";
import { pageAt } from "../support/page.ts";

/** The text of a file in deploy/. */
export const textOf = (file: string): string => pageAt(`deploy/${file}`);

const IMAGE = pageAt("Dockerfile");
const inImage = (words: RegExp): string => {
  const [, found = ""] = words.exec(IMAGE) ?? [];
  expect(found).not.toBe("");
  return found;
};
/** What the Dockerfile says. */
export const image = {
  port: inImage(/^EXPOSE (\d+)$/m),
  volume: inImage(/^VOLUME (\S+)$/m),
  user: Number(inImage(/^USER (\d+):\d+$/m)),
  /** The health check's command and times, as compose files write them. */
  health: {
    test: ["CMD", ...(JSON.parse(inImage(/^HEALTHCHECK .* CMD (.*)$/m)) as string[])],
    interval: inImage(/--interval=(\S+)/),
    timeout: inImage(/--timeout=(\S+)/),
    start_period: inImage(/--start-period=(\S+)/),
  },
};

export interface Service {
  image: string;
  container_name?: string;
  ports?: (string | { target: number; published: string })[];
  volumes: (string | { source: string; target: string })[];
  environment?: Record<string, string | null>;
  healthcheck?: object;
  networks?: string[] | Record<string, { ipv4_address?: string }>;
  restart: string;
  read_only?: boolean;
  user?: string;
  cap_drop: string[];
  cap_add?: string[];
  security_opt?: string[];
}
export interface Compose {
  services: Record<string, Service> & { peal: Service };
  volumes?: Record<string, unknown>;
  networks?: Record<string, { ipam: { config: { subnet: string }[] } }>;
  "x-casaos"?: { main: string; port_map: string };
}
export const composeAt = (file: string): Compose => Bun.YAML.parse(textOf(file)) as Compose;

/** Runs a tool to its end. */
export async function run(
  command: readonly string[],
  env: Record<string, string> = {},
): Promise<{ code: number; said: string }> {
  const child = Bun.spawn([...command], {
    env: { ...process.env, PATH, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const [out, err, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
  return { code, said: out + err };
}
