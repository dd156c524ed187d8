/** deploy/kubernetes.yaml is what Kubernetes knows, and runs the image with as few rights as it needs. */
import { expect, test } from "bun:test";
import { testWith } from "../support/tools.ts";
import { image, run, textOf } from "./files.ts";

interface Probe {
  httpGet: { path: string; port: string };
}
interface StatefulSet {
  spec: {
    replicas: number;
    serviceName: string;
    selector: { matchLabels: object };
    template: {
      metadata: { labels: object };
      spec: {
        securityContext: object;
        containers: [
          {
            ports: { name: string; containerPort: number }[];
            volumeMounts: object[];
            securityContext: object;
          } & Record<"startupProbe" | "readinessProbe" | "livenessProbe", Probe>,
        ];
      };
    };
  };
}
interface Service {
  metadata: { name: string };
  spec: { selector: object; ports: object[] };
}
const [service, set] = Bun.YAML.parse(textOf("kubernetes.yaml")) as [Service, StatefulSet];
const { spec } = set.spec.template;
const [container] = spec.containers;

testWith("kubernetes-validate")("the manifest has no field that Kubernetes does not know", async () => {
  const { code, said } = await run(["kubernetes-validate", "--strict", "deploy/kubernetes.yaml"]);
  expect({ code, said }).toMatchObject({ code: 0 });
  expect(said.match(/passed/g)).toHaveLength(2);
});

test("one pod, found by the service at the port of the image", () => {
  expect(set.spec).toMatchObject({ replicas: 1, serviceName: service.metadata.name });
  const { labels } = set.spec.template.metadata;
  expect([set.spec.selector.matchLabels, service.spec.selector]).toEqual([labels, labels]);
  const port = Number(image.port);
  expect(container.ports).toEqual([{ name: "http", containerPort: port }]);
  expect(service.spec.ports).toEqual([{ name: "http", port, targetPort: "http" }]);
  expect(container.volumeMounts).toEqual([{ name: "data", mountPath: image.volume }]);
});

test("it is sent requests when it is ready, and started again when its health is bad", () => {
  expect(container.startupProbe.httpGet).toEqual({ path: "/ready", port: "http" });
  expect(container.readinessProbe.httpGet).toEqual({ path: "/ready", port: "http" });
  expect(container.livenessProbe.httpGet).toEqual({ path: "/health", port: "http" });
});

test("it is no root, writes only to its volume, and has no capability", () => {
  expect(spec.securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: image.user, fsGroup: image.user });
  expect(container.securityContext).toEqual({
    allowPrivilegeEscalation: false,
    readOnlyRootFilesystem: true,
    capabilities: { drop: ["ALL"] },
  });
});
