/** What is wrong with a password, in words. */
import { MIN_PASSWORD, type PasswordFault } from "../../../names/person.ts";
import type { View } from "../../view.ts";

/** The words at the field. */
export const passwordFaultWords = ({ texts: { signin } }: View, fault: PasswordFault): string =>
  fault.kind === "long" ? signin.fault.long : signin.fault.short(fault.characters, MIN_PASSWORD - fault.characters);
