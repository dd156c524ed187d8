CREATE TABLE `check_day` (
	`row` integer PRIMARY KEY NOT NULL,
	`day` integer NOT NULL,
	`up_ms` integer NOT NULL,
	`down_ms` integer NOT NULL,
	`quiet_ms` integer NOT NULL,
	`away_ms` integer NOT NULL,
	`has_ok` integer NOT NULL,
	`usual_ms` integer
);
--> statement-breakpoint
CREATE INDEX `check_day_day` ON `check_day` (`day`);--> statement-breakpoint
CREATE TABLE `namespace_hour` (
	`row` integer PRIMARY KEY NOT NULL,
	`hour` integer NOT NULL,
	`info` integer NOT NULL,
	`success` integer NOT NULL,
	`warning` integer NOT NULL,
	`error` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `namespace_hour_hour` ON `namespace_hour` (`hour`);--> statement-breakpoint
CREATE TABLE `topic_day` (
	`row` integer PRIMARY KEY NOT NULL,
	`day` integer NOT NULL,
	`info` integer NOT NULL,
	`success` integer NOT NULL,
	`warning` integer NOT NULL,
	`error` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `topic_day_day` ON `topic_day` (`day`);--> statement-breakpoint
ALTER TABLE `check` ADD `counted_to` integer;--> statement-breakpoint
ALTER TABLE `check_incident` ADD `closed_at` integer;--> statement-breakpoint
CREATE INDEX `check_incident_closed` ON `check_incident` (`closed_at`) WHERE "check_incident"."closed_at" is not null;--> statement-breakpoint
-- What is there already, once. SQLite knows the server's zone alone: the days of all checks are those of it, the last 90. What was
-- paused or snoozed before is not kept anywhere, and counts as if it had not been. A standing may be no JSON after a repair.
UPDATE `check` SET `counted_to` = CAST(unixepoch('subsec') * 1000 AS integer);--> statement-breakpoint
UPDATE `check_incident` SET `closed_at` = `json` ->> '$.closedAt' WHERE json_valid(`json`);--> statement-breakpoint
CREATE TABLE `__day` (`first` integer PRIMARY KEY NOT NULL, `next` integer NOT NULL, `day` integer NOT NULL);--> statement-breakpoint
INSERT INTO `__day` WITH RECURSIVE back(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM back WHERE n < 365)
SELECT unixepoch(date, 'utc') * 1000, unixepoch(date(date, '+1 day'), 'utc') * 1000, CAST(julianday(date) - 2440587.5 AS integer)
FROM (SELECT date('now', 'localtime', '-' || n || ' days') AS date FROM back);--> statement-breakpoint
INSERT INTO `check_day` (`row`, `day`, `up_ms`, `down_ms`, `quiet_ms`, `away_ms`, `has_ok`, `usual_ms`)
WITH
  days AS MATERIALIZED (SELECT * FROM `__day` ORDER BY first DESC LIMIT 90),
  watched AS MATERIALIZED (
    SELECT row, created_at AS since, counted_to AS until, (standing ->> '$.events') <= 100 AS has_all,
      coalesce(standing ->> '$.paused.at', counted_to) AS paused
    FROM `check` WHERE json_valid(standing) AND state <> 'new'),
  outage AS MATERIALIZED (
    SELECT check_row, json ->> '$.openedAt' AS began, closed_at AS ended,
      json ->> '$.gap' IS NOT NULL AND json ->> '$.missed' <= 1 AS is_away
    FROM check_incident WHERE json_valid(json)),
  -- of a day and a check, in which parts of it lie
  part AS MATERIALIZED (
    SELECT w.row AS check_row, d.day, d.first, w.has_all, max(d.first, w.since) AS a, min(d.next, w.paused) AS b,
      max(0, min(d.next, w.until) - max(d.first, w.since, w.paused)) AS quiet
    FROM watched w JOIN days d ON d.next > w.since AND d.first < w.until),
  lost AS MATERIALIZED (
    SELECT o.check_row, d.day, o.is_away, o.began, o.ended FROM outage o JOIN days d
      ON d.next > o.began AND (o.ended IS NULL OR d.first < o.ended)),
  spent AS MATERIALIZED (
    SELECT p.*, coalesce(sum(max(0, min(p.b, coalesce(l.ended, p.b)) - max(p.a, l.began))) FILTER (WHERE NOT l.is_away), 0) AS down,
      coalesce(sum(max(0, min(p.b, coalesce(l.ended, p.b)) - max(p.a, l.began))) FILTER (WHERE l.is_away), 0) AS away
    FROM part p LEFT JOIN lost l ON l.check_row = p.check_row AND l.day = p.day GROUP BY p.check_row, p.day),
  line AS MATERIALIZED (
    SELECT row / 100 AS check_row, json ->> '$.at' AS at, json ->> '$.kind' AS kind, json ->> '$.durationMs' AS ms
    FROM check_event WHERE json_valid(json)),
  known AS MATERIALIZED (SELECT check_row, min(at) AS since FROM line GROUP BY check_row),
  run AS MATERIALIZED (
    SELECT l.check_row, d.day, l.ms, row_number() OVER (PARTITION BY l.check_row, d.day ORDER BY l.ms NULLS LAST) AS place,
      count(l.ms) OVER (PARTITION BY l.check_row, d.day) AS timed
    FROM line l JOIN days d ON l.at >= d.first AND l.at < d.next WHERE l.kind = 'ok'),
  good AS MATERIALIZED (
    SELECT check_row, day, max(ms) FILTER (WHERE place = (timed + 1) / 2) AS usual FROM run GROUP BY check_row, day)
SELECT s.check_row * 65536 + s.day, s.day, max(0, s.b - s.a) - s.down - s.away, s.down, s.quiet, s.away,
  CASE WHEN g.day IS NOT NULL THEN 1 WHEN s.has_all OR k.since <= s.first THEN 0 ELSE s.b - s.a > s.down + s.away END,
  CASE WHEN s.day < (SELECT max(day) FROM days) THEN g.usual END
FROM spent s LEFT JOIN good g ON g.check_row = s.check_row AND g.day = s.day LEFT JOIN known k ON k.check_row = s.check_row;--> statement-breakpoint
INSERT INTO `topic_day` (`row`, `day`, `info`, `success`, `warning`, `error`)
SELECT topic_id * 65536 + day, day, sum(level = 'info'), sum(level = 'success'), sum(level = 'warning'), sum(level = 'error')
FROM (SELECT topic_id, level, (SELECT day FROM `__day` WHERE first <= created_at ORDER BY first DESC LIMIT 1) AS day FROM `message`)
WHERE day IS NOT NULL GROUP BY topic_id, day;--> statement-breakpoint
DROP TABLE `__day`;--> statement-breakpoint
INSERT INTO `namespace_hour` (`row`, `hour`, `info`, `success`, `warning`, `error`)
SELECT namespace_id * 1048576 + hour, hour, sum(level = 'info'), sum(level = 'success'), sum(level = 'warning'), sum(level = 'error')
FROM (SELECT namespace_id, level, created_at / 3600000 AS hour FROM `message` WHERE created_at >= (unixepoch() - 48 * 3600) * 1000)
GROUP BY namespace_id, hour;--> statement-breakpoint
INSERT INTO `setting` (`name`, `value`) SELECT 'tallied_to', CAST(max(row) AS text) FROM `message` HAVING max(row) IS NOT NULL;
