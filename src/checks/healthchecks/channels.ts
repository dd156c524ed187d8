/** Topics as Healthchecks' channels: where alerts go (CHECKINS.md §10). */
import type { Topic } from "../../topics/topic.ts";
import { channelId } from "./json.ts";

export const channelDict = ({ id, name }: Topic): object => ({ id: channelId(id), name, kind: "peal" });
