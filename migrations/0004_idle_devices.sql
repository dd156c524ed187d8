ALTER TABLE `device` ADD `idle_since` integer;--> statement-breakpoint
CREATE INDEX `device_idle` ON `device` (`idle_since`) WHERE "device"."idle_since" is not null;--> statement-breakpoint
UPDATE `device` SET `idle_since` = unixepoch() * 1000
  WHERE NOT EXISTS (SELECT 1 FROM `subscription` WHERE `device_row` = `device`.`row`);
