CREATE TABLE `check` (
	`row` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`id` text NOT NULL,
	`namespace_id` integer NOT NULL,
	`topic_id` integer NOT NULL,
	`name` text NOT NULL,
	`slug` text,
	`token_hash` text NOT NULL,
	`old_token_hash` text,
	`old_token_until` integer,
	`token_generation` integer DEFAULT 0 NOT NULL,
	`badge_token` text NOT NULL,
	`created_at` integer NOT NULL,
	`state` text NOT NULL,
	`due_at` integer,
	`standing` text NOT NULL,
	FOREIGN KEY (`namespace_id`) REFERENCES `namespace`(`row`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`topic_id`) REFERENCES `topic`(`row`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `check_id_unique` ON `check` (`id`);--> statement-breakpoint
CREATE UNIQUE INDEX `check_token_hash_unique` ON `check` (`token_hash`);--> statement-breakpoint
CREATE UNIQUE INDEX `check_badge_token_unique` ON `check` (`badge_token`);--> statement-breakpoint
CREATE UNIQUE INDEX `check_slug` ON `check` (`namespace_id`,`slug`) WHERE "check"."slug" is not null;--> statement-breakpoint
CREATE INDEX `check_name` ON `check` (`namespace_id`,`name`,`id`);--> statement-breakpoint
CREATE INDEX `check_topic` ON `check` (`topic_id`);--> statement-breakpoint
CREATE INDEX `check_old_token` ON `check` (`old_token_hash`) WHERE "check"."old_token_hash" is not null;--> statement-breakpoint
CREATE INDEX `check_state` ON `check` (`state`);--> statement-breakpoint
CREATE INDEX `check_due` ON `check` (`due_at`,`topic_id`) WHERE "check"."due_at" is not null;--> statement-breakpoint
CREATE TABLE `check_event` (
	`row` integer PRIMARY KEY NOT NULL,
	`n` integer NOT NULL,
	`json` text NOT NULL,
	`head` blob,
	`tail` blob
);
--> statement-breakpoint
CREATE TABLE `check_incident` (
	`row` integer PRIMARY KEY NOT NULL,
	`check_row` integer NOT NULL,
	`n` integer NOT NULL,
	`json` text NOT NULL,
	`down_message` integer,
	`up_message` integer,
	FOREIGN KEY (`check_row`) REFERENCES `check`(`row`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `check_incident_n` ON `check_incident` (`check_row`,`n`);--> statement-breakpoint
ALTER TABLE `namespace` ADD `checks` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `namespace` ADD `ping_key_generation` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `namespace` ADD `ping_key_hash` text;--> statement-breakpoint
CREATE UNIQUE INDEX `namespace_ping_key_hash_unique` ON `namespace` (`ping_key_hash`);