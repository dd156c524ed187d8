/** The version of this program, as package.json says it. */
import packageJson from "../../package.json" with { type: "json" };

export const VERSION: string = packageJson.version;
