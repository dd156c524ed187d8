CREATE TABLE `intake` (
	`row` integer PRIMARY KEY NOT NULL,
	`topic_id` integer NOT NULL,
	`namespace_id` integer NOT NULL,
	`ignored` text NOT NULL,
	`body` text,
	`has_body` integer NOT NULL,
	`is_cut` integer DEFAULT 0 NOT NULL,
	`content_type` text,
	`user_agent` text,
	FOREIGN KEY (`row`) REFERENCES `message`(`row`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `intake_topic` ON `intake` (`topic_id`) WHERE "intake"."has_body" = 1;--> statement-breakpoint
CREATE INDEX `intake_namespace` ON `intake` (`namespace_id`) WHERE "intake"."has_body" = 1;--> statement-breakpoint
ALTER TABLE `scheduled` ADD `intake` text;