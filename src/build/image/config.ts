/** How a container of the image starts: what the Dockerfile says, in the words of the OCI configuration. A test compares them. */

/** Docker counts in nanoseconds. */
const SECOND = 1_000_000_000;

export const CONFIG = {
  User: "1000:1000",
  ExposedPorts: { "7325/tcp": {} },
  Env: [
    "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
    "SSL_CERT_FILE=/etc/ssl/certs/ca-certificates.crt",
    "PEAL_DATA_DIR=/data",
  ],
  Entrypoint: ["/peal"],
  Cmd: ["serve"],
  Volumes: { "/data": {} },
  WorkingDir: "/",
  Labels: {
    "org.opencontainers.image.title": "peal",
    "org.opencontainers.image.description": "Self-hosted notifications and check-ins in one binary",
    "org.opencontainers.image.licenses": "MIT",
  },
  StopSignal: "SIGTERM",
  // no part of OCI: Docker heeds it all the same, podman and Kubernetes do not
  Healthcheck: {
    Test: ["CMD", "/peal", "health"],
    Interval: 30 * SECOND,
    Timeout: 6 * SECOND,
    StartPeriod: 10 * SECOND,
  },
};
