ALTER TABLE `acknowledgement` ADD `by` text;--> statement-breakpoint
ALTER TABLE `message` ADD `firing` integer;--> statement-breakpoint
UPDATE `message` SET `firing` = 1 WHERE `dedup_key` IS NOT NULL
  AND CASE WHEN json_valid(`json`) THEN json_extract(`json`, '$.status') = 'firing' ELSE 0 END;--> statement-breakpoint
ALTER TABLE `message` ADD `sender` integer;--> statement-breakpoint
CREATE INDEX `message_urgent_topic` ON `message` (`topic_id`) WHERE "message"."priority" = 'urgent';--> statement-breakpoint
CREATE INDEX `message_firing` ON `message` (`namespace_id`) WHERE "message"."firing" = 1;--> statement-breakpoint
CREATE INDEX `message_firing_topic` ON `message` (`topic_id`) WHERE "message"."firing" = 1;--> statement-breakpoint
ALTER TABLE `scheduled` ADD `sender` integer;