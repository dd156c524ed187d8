CREATE TABLE `discarded` (
	`row` integer PRIMARY KEY NOT NULL,
	`topic_id` integer NOT NULL,
	`id` integer NOT NULL,
	`discarded_at` integer NOT NULL,
	`json` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `discarded_id` ON `discarded` (`topic_id`,`id`);--> statement-breakpoint
CREATE INDEX `discarded_at` ON `discarded` (`discarded_at`);--> statement-breakpoint
DROP INDEX `check_state`;--> statement-breakpoint
CREATE INDEX `check_state` ON `check` (`state`,`namespace_id`);--> statement-breakpoint
CREATE INDEX `message_urgent` ON `message` (`namespace_id`) WHERE "message"."priority" = 'urgent';