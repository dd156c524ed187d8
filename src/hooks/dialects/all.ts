/** All dialects. */
import type { DialectName } from "../hook.ts";
import { apprise } from "./apprise.ts";
import type { Dialect } from "./dialect.ts";
import { discord } from "./discord.ts";
import { github } from "./github.ts";
import { gotify } from "./gotify.ts";
import { slack } from "./slack.ts";

export const dialects: Readonly<Record<DialectName, Dialect>> = { slack, discord, github, gotify, apprise };
