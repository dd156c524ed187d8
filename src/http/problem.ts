/** Every error of the HTTP API: one table of codes, and one function for each (RFC 9457, API.md §6). */

// prettier-ignore
const TABLE = {
  // code                    status  title
  malformed_json:           [400, "The body is not valid JSON"],
  malformed_body:           [400, "The body can't be read"],
  bad_request:              [400, "The request can't be understood"],
  invalid_parameter:        [400, "A query parameter is invalid"],
  missing_key:              [401, "An API key is required"],
  invalid_key:              [401, "The API key is not valid"],
  sign_in_needed:           [401, "You are not signed in"],
  confirm_needed:           [403, "Confirm your password"],
  wrong_namespace:          [403, "The API key belongs to another namespace"],
  insufficient_scope:       [403, "The API key isn't allowed to do this"],
  admin_required:           [403, "An admin key is required"],
  cross_site:               [403, "The request came from another site"],
  not_found:                [404, "Not found"],
  unknown_topic:            [404, "Unknown topic"],
  unknown_check:            [404, "Unknown check"],
  unknown_hook:             [404, "Unknown hook"],
  unknown_message:          [404, "Unknown message"],
  unknown_file:             [404, "Unknown file"],
  unknown_key:              [404, "Unknown key"],
  unknown_scheduled:        [404, "Unknown scheduled message"],
  unknown_device:           [404, "Unknown device"],
  unknown_person:           [404, "Unknown person"],
  unknown_forward:          [404, "Unknown forward"],
  unknown_subscription:     [404, "The device isn't subscribed to the topic"],
  method_not_allowed:       [405, "This path doesn't accept this method"],
  publish_by_post:          [405, "This address is for publishing"],
  topic_exists:             [409, "A topic with this name already exists"],
  topic_in_use:             [409, "Checks send their alerts to the topic"],
  check_exists:             [409, "A check with this slug already exists"],
  already_set_up:           [409, "This server is already set up"],
  namespace_exists:         [409, "A namespace with this name already exists"],
  person_exists:            [409, "A person with this name already exists"],
  last_admin:               [409, "There must be at least one admin"],
  too_many_topics:          [409, "The namespace has too many topics"],
  too_many_checks:          [409, "The namespace has too many checks"],
  too_many_hooks:           [409, "There are too many hooks"],
  too_many_scheduled:       [409, "Too many scheduled messages"],
  too_many_devices:         [409, "There are too many devices"],
  too_many_forwards:        [409, "The namespace has too many forwards"],
  too_many_subscriptions:   [409, "The device has too many topics"],
  token_taken:              [409, "Another device has this token"],
  device_expired:           [409, "The device's push service no longer knows it"],
  ack_not_asked:            [409, "The message doesn't ask to be acknowledged"],
  ack_stays:                [409, "The acknowledgement can no longer be undone"],
  too_large:                [413, "The body is too large"],
  uri_too_long:             [414, "The URL is too long"],
  unsupported_media_type:   [415, "Unsupported content type"],
  range_not_satisfiable:    [416, "The range is outside the file"],
  validation_failed:        [422, "A field is invalid"],
  host_not_allowed:         [422, "Forwards may not reach this host"],
  idempotency_mismatch:     [409, "The idempotency key was used for another request"],
  rate_limited:             [429, "Too many requests"],
  too_many_streams:         [429, "Too many event streams"],
  internal:                 [500, "Something went wrong on the server"],
  unavailable:              [503, "The store can't do this right now"],
  busy:                     [503, "The server is overloaded"],
  no_room_for_streams:      [503, "The server has no room for another event stream"],
  not_set_up:               [503, "This server is waiting for its owner"],
  sign_in_busy:             [503, "Too many passwords are waiting to be checked"],
  stopping:                 [503, "The server is stopping"],
} as const satisfies Record<string, readonly [number, string]>;

export type ProblemCode = keyof typeof TABLE;
export interface FieldError {
  /** A JSON pointer or the name of a parameter. */
  path: string;
  message: string;
}
interface Extra {
  /** Replaces the table's code in the answer: `invalid_limit` and its kin share one row. */
  code?: string;
  errors?: FieldError[];
  headers?: Record<string, string>;
}

/** What ends a request: thrown anywhere below the edge, answered there. `detail` says what to do. */
export class Problem extends Error {
  override readonly name = "Problem";
  readonly status: number;
  readonly title: string;
  readonly code: string;
  readonly errors: FieldError[] | undefined;
  readonly headers: Record<string, string>;
  readonly detail: string;
  constructor(code: ProblemCode, detail: string, extra: Extra = {}) {
    super(detail);
    this.detail = detail;
    [this.status, this.title] = TABLE[code];
    this.code = extra.code ?? code;
    this.errors = extra.errors;
    this.headers = extra.headers ?? {};
  }
}

/** All codes with status and title, for the docs and the OpenAPI document. */
export const problemTable = Object.entries(TABLE).map(([code, [status, title]]) => ({ code, status, title }));

const challenge = { "www-authenticate": 'Bearer realm="peal"' };

export const problem = {
  malformedJson: (detail: string) => new Problem("malformed_json", detail),
  malformedBody: (detail: string) => new Problem("malformed_body", detail),
  badRequest: (detail: string) => new Problem("bad_request", detail),
  /** A wrong query parameter: `invalid_<name>`. */
  invalidParameter: (name: string, detail: string) =>
    new Problem("invalid_parameter", detail, { code: `invalid_${name}`, errors: [{ path: name, message: detail }] }),
  missingKey: () =>
    new Problem(
      "missing_key",
      "Send an API key: `Authorization: Bearer svc_…`, or Basic with the key as the password.",
      {
        headers: challenge,
      },
    ),
  invalidKey: () =>
    new Problem("invalid_key", "The key is mistyped, expired or revoked. Create a new one with `peal keys create`.", {
      headers: challenge,
    }),
  wrongNamespace: (namespace: string) =>
    new Problem(
      "wrong_namespace",
      `The key doesn't belong to namespace \`${namespace}\`. Use a key from that namespace.`,
    ),
  /** `needed`: the least scope that is enough. */
  insufficientScope: (needed: string) =>
    new Problem(
      "insufficient_scope",
      `The key's scope isn't enough: a \`publish\` key can only publish, and a \`read\` key can only read. Use a key with scope \`${needed}\`${needed === "full" ? "" : " or `full`"}.`,
    ),
  adminRequired: () => new Problem("admin_required", "Use a key with scope `admin` to manage keys."),
  crossSite: (detail = "The form wasn't sent from a page on this server. Open the page here and send it again.") =>
    new Problem("cross_site", detail),
  notFound: (detail = "Check the address.") => new Problem("not_found", detail),
  unknownTopic: () =>
    new Problem("unknown_topic", "The topic key is mistyped or was replaced by a new one, or its topic was deleted."),
  unknownCheck: () =>
    new Problem("unknown_check", "No check in this namespace has this id. `GET /v1/{ns}/checks` lists them."),
  unknownHook: () =>
    new Problem(
      "unknown_hook",
      "Its URL or id is mistyped or was replaced by a new one, or the hook was deleted. `GET /v1/{ns}/hooks` lists them.",
    ),
  unknownForward: () =>
    new Problem(
      "unknown_forward",
      "Its id is mistyped, or the forward was removed. `GET /v1/{ns}/forwards` lists them.",
    ),
  unknownMessage: () => new Problem("unknown_message", "It was deleted, or it was older than the topic's retention."),
  unknownFile: () =>
    new Problem("unknown_file", "It has expired, was deleted with its message, or wasn't restored from a backup."),
  unknownKey: () => new Problem("unknown_key", "No key in this namespace has this id. `GET /v1/keys` lists them."),
  unknownScheduled: () => new Problem("unknown_scheduled", "It was already sent, was cancelled, or never existed."),
  unknownDevice: () =>
    new Problem("unknown_device", "It was removed, or its id is mistyped. `POST /v1/devices` registers it again."),
  unknownPerson: () => new Problem("unknown_person", "`peal admin list` shows everyone."),
  personExists: (name: string) =>
    new Problem("person_exists", `Someone is already called \`${name}\`. Choose another name.`),
  lastAdmin: () => new Problem("last_admin", "Make someone else an admin first."),
  unknownSubscription: () =>
    new Problem("unknown_subscription", "`POST /v1/devices/{id}/subscriptions` subscribes it to the topic."),
  /** `errors`: one for each unknown topic. */
  unknownTopics: (errors: FieldError[]) =>
    new Problem(
      "unknown_topic",
      "Their keys are mistyped or were replaced by new ones, or their topics were deleted. Nothing was stored.",
      { errors },
    ),
  methodNotAllowed: (allow: readonly string[]) =>
    new Problem("method_not_allowed", `Use ${allow.join(", ")}: this path accepts nothing else.`, {
      headers: { allow: allow.join(", ") },
    }),
  /** For a GET on a hook that takes none. `allow`: the methods of the path. */
  hookByPost: (allow: readonly string[]) =>
    new Problem(
      "publish_by_post",
      "Publish here with POST: `curl -d 'text' <this address>`. For a device that can only GET, turn on `get` in the hook.",
      { headers: { allow: allow.join(", ") } },
    ),
  /** `allow`: the methods of the path. */
  publishByPost: (allow: readonly string[]) =>
    new Problem(
      "publish_by_post",
      "Publish here with POST: `curl -H 'Authorization: Bearer svc_…' -d 'text' <this address>`. To read a topic, open its share link, which ends in its key.",
      { headers: { allow: allow.join(", ") } },
    ),
  topicExists: (name: string) => new Problem("topic_exists", `Topic \`${name}\` already exists. Choose another name.`),
  topicInUse: () =>
    new Problem("topic_in_use", "Give these checks another topic, or delete them. `GET /v1/{ns}/checks` lists them."),
  checkExists: (slug: string) =>
    new Problem("check_exists", `Another check has the slug \`${slug}\`. Choose a different one.`),
  alreadySetUp: () =>
    new Problem("already_set_up", "Someone has already claimed this server. Create keys with `peal keys create`."),
  namespaceExists: (name: string) => new Problem("namespace_exists", `Namespace \`${name}\` already exists.`),
  tooManyTopics: (limit: number) =>
    new Problem(
      "too_many_topics",
      `A namespace can have at most ${limit} topics. Delete some, or publish to an existing one.`,
    ),
  tooManyChecks: () =>
    new Problem("too_many_checks", "The namespace has reached its check limit. Delete checks you don't need."),
  tooManyHooks: (limit: number, of: "topic" | "namespace") =>
    new Problem("too_many_hooks", `A ${of} can have at most ${limit} hooks. Delete hooks you don't need.`),
  tooManyScheduled: (limit: number) =>
    new Problem(
      "too_many_scheduled",
      `A namespace can have at most ${limit} scheduled messages. Cancel some, or send this one when it's due.`,
    ),
  tooManyForwards: (limit: number) =>
    new Problem("too_many_forwards", `A namespace can have at most ${limit} forwards. Remove forwards you don't need.`),
  /** `path`: the field that names the host. */
  hostNotAllowed: (path: string, message: string) =>
    new Problem("host_not_allowed", `${path}: ${message}`, { errors: [{ path, message }] }),
  tooManyDevices: (detail: string) => new Problem("too_many_devices", detail),
  tooManySubscriptions: (limit: number) =>
    new Problem("too_many_subscriptions", `A device can follow at most ${limit} topics. Unsubscribe it from some.`),
  tokenTaken: () =>
    new Problem(
      "token_taken",
      "It is already registered: `POST /v1/devices` with its token and its keys returns that device.",
    ),
  deviceExpired: () => new Problem("device_expired", "It can't be reached. Register its new token."),
  ackNotAsked: () =>
    new Problem(
      "ack_not_asked",
      "Only a message published as `urgent` with `ack`, or with `status` `firing`, can be acknowledged.",
    ),
  ackStays: () => new Problem("ack_stays", "An acknowledgement can be undone for two minutes only."),
  tooLarge: (limit: number) => new Problem("too_large", `Send at most ${limit} bytes. Nothing was stored.`),
  uriTooLong: (limit: number) => new Problem("uri_too_long", `A URL can have at most ${limit} characters here.`),
  unsupportedMediaType: (known: string) => new Problem("unsupported_media_type", `Send ${known}.`),
  rangeNotSatisfiable: (size: number) =>
    new Problem("range_not_satisfiable", `The file has ${size} bytes.`, {
      headers: { "content-range": `bytes */${size}` },
    }),
  validationFailed: (errors: FieldError[]) =>
    new Problem("validation_failed", errors.map(({ path, message }) => `${path}: ${message}`).join("; "), { errors }),
  idempotencyMismatch: () =>
    new Problem("idempotency_mismatch", "A retry must be the same request. Use another key for another message."),
  rateLimited: (detail: string, headers: Record<string, string>) => new Problem("rate_limited", detail, { headers }),
  tooManyStreams: (detail: string) => new Problem("too_many_streams", detail, { headers: { "retry-after": "5" } }),
  /** The connection is closed: it would hold one of the files that the answer says are missing. */
  noRoomForStreams: () =>
    new Problem(
      "no_room_for_streams",
      "The server can't open any more files for streams. Try again later, or raise its limit on open files.",
      {
        headers: { "retry-after": "30", connection: "close" },
      },
    ),
  busy: (detail: string, headers: Record<string, string>) => new Problem("busy", detail, { headers }),
  internal: () => new Problem("internal", "The server's log has the reason under this request id. A retry may help."),
  unavailable: (detail = "The store can't write right now. Nothing was stored, so it's safe to retry.") =>
    new Problem("unavailable", detail, { headers: { "retry-after": "5" } }),
  notSetUp: () =>
    new Problem(
      "not_set_up",
      "Claim it with the setup code: it's in the server's log and in `data/setup-code`, and `peal setup-code` prints it.",
      { headers: { "retry-after": "60" } },
    ),
  signInBusy: () =>
    new Problem(
      "sign_in_busy",
      "The password wasn't checked, and this doesn't count as a failed attempt. Try again in 2 s, and keep trying: whoever has waited longest goes next.",
      { headers: { "retry-after": "2" } },
    ),
  stopping: () => new Problem("stopping", "Try again in a moment.", { headers: { "retry-after": "1" } }),
};
