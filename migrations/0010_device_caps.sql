CREATE TABLE `device_namespace` (
	`device_row` integer NOT NULL,
	`namespace_id` integer NOT NULL,
	`topics` integer NOT NULL,
	PRIMARY KEY(`device_row`, `namespace_id`),
	FOREIGN KEY (`device_row`) REFERENCES `device`(`row`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `device_total` (
	`row` integer PRIMARY KEY NOT NULL,
	`devices` integer NOT NULL,
	`idle` integer NOT NULL
);
--> statement-breakpoint
ALTER TABLE `namespace` ADD `devices` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
INSERT INTO `device_namespace` (`device_row`, `namespace_id`, `topics`)
  SELECT `s`.`device_row`, `t`.`namespace_id`, count(*) FROM `subscription` `s` JOIN `topic` `t` ON `t`.`row` = `s`.`topic_id`
  GROUP BY `s`.`device_row`, `t`.`namespace_id`;--> statement-breakpoint
UPDATE `namespace` SET `devices` = (SELECT count(*) FROM `device_namespace` WHERE `namespace_id` = `namespace`.`row`);--> statement-breakpoint
INSERT INTO `device_total` (`row`, `devices`, `idle`)
  SELECT 1, count(*), count(`idle_since`) FROM `device` HAVING count(*) > 0;
