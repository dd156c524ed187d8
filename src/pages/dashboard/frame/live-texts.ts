/** The catalogue's part for the script of the dashboard: what it needs of `texts.live`, as it is handed over. */
import type { Texts } from "../../texts/texts.ts";

export const liveWords = ({ live, desk }: Texts) => ({
  connecting: live.connecting,
  live: live.live,
  reconnecting: live.reconnecting,
  polling: live.polling,
  offline: desk.offline,
  signedOut: desk.signedOut,
  gone: desk.gone,
  ago: live.ago,
  justNow: live.justNow,
  today: live.today,
  yesterday: live.yesterday,
  locale: live.locale,
});
