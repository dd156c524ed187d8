/** Signing in, and what is wrong with a name or a password wherever one is chosen. */
import { count } from "./numbers.ts";

export const signin = {
  title: "Sign in",
  name: "Name",
  password: "Password",
  signIn: "Sign in",
  refused: "Name and password do not match.",
  left: (tries: number) => `${count(tries, "more try", "more tries")} in this minute from your address.`,
  forgottenBefore: "Forgotten? On the server, ",
  forgottenAfter: " sets a new one and signs you out everywhere.",
  /** In place of a name in that command. */
  aName: "NAME",

  confirmTitle: "Your password, once more",
  confirmLede: "Asked once every 10 minutes for what cannot be undone, for new keys and for people.",
  confirmAs: "You are signed in as ",
  confirm: "Go on",
  wrongPassword: "That is not your password.",
  notNow: "Not now",
  flash: {
    sendAgain: "Nothing was done yet: look at the form and send it once more.",
    downloadAgain: "Your password is confirmed. Start the download once more.",
  },

  unknownTitle: (name: string) => `Nobody here is called “${name}”`,
  unknownText: "Your proxy has signed you in under this name. An admin adds it under Settings, or on the server:",

  fault: {
    nameWrong: "1 to 64 characters, and none that cannot be seen.",
    nameTaken: "Somebody here has this name already.",
    short: (characters: number, missing: number) =>
      characters === 0
        ? "12 characters or more."
        : `${count(characters, "character", "characters")}. ${missing === 1 ? "One more is" : `${String(missing)} more are`} enough.`,
    long: "That is more than 1,024 bytes.",
  },
};
