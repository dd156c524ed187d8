/** Who is signed in at the dashboard, which namespaces they see, and which one of them the header's filter has chosen. */
import type { Visitor } from "../../accounts/visitor.ts";
import type { Namespace } from "../../keys/namespace.ts";
import type { Trouble } from "../../store/overview.ts";
import type { Millis } from "../../util/clock.ts";
import type { View } from "../view.ts";
import type { Flash } from "./frame/flash.ts";

export interface Desk {
  view: View;
  visitor: Visitor;
  /** Seen by the visitor, by name. */
  namespaces: readonly Namespace[];
  /** `?ns=`, which links and forms of the page keep; absent: all. */
  chosen?: Namespace;
  flash?: Flash;
  /** In all namespaces that the visitor sees, whatever is chosen: shown in the rail and the window's title. */
  trouble: Trouble;
  now: Millis;
}
