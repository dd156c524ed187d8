/** Signing in, and what is wrong with a name or a password wherever one is chosen. */
import { count } from "../numbers.ts";

export const signin = {
  title: "Sign in",
  signIn: "Sign in",
  refused: "Name and password don’t match.",
  left: (tries: number) => `${count(tries, "more attempt", "more attempts")} this minute from your address.`,
  forgottenBefore: "Forgotten? On the server, ",
  forgottenAfter: " sets a new one and signs you out everywhere.",
  /** Stands for a name in that command. */
  aName: "NAME",

  confirmTitle: "Confirm your password",
  confirmLede:
    "You’re asked once every 10 minutes, before anything that can’t be undone, creates keys or changes people.",
  confirmAs: "You’re signed in as ",
  confirm: "Continue",
  wrongPassword: "That isn’t your password.",
  notNow: "Not now",
  flash: {
    sendAgain: "Nothing has been changed yet: check the form and send it again.",
    downloadAgain: "Password confirmed. Start the download again.",
  },

  unknownTitle: (name: string) => `There’s no one named “${name}” here`,
  unknownText: "Your proxy has signed you in with this name. An admin can add it under Settings, or on the server:",

  fault: {
    nameWrong: "1 to 64 characters, no invisible characters.",
    nameTaken: "Someone here already has this name.",
    short: (characters: number, missing: number) =>
      characters === 0
        ? "At least 12 characters."
        : `${count(characters, "character", "characters")}: ${missing === 1 ? "one more" : `${String(missing)} more`} needed.`,
    long: "That’s more than 1,024 bytes.",
  },
};
