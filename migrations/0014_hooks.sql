CREATE TABLE `hook` (
	`row` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`id` text NOT NULL,
	`namespace_id` integer NOT NULL,
	`topic_id` integer NOT NULL,
	`token_hash` text NOT NULL,
	`gotify_hash` text NOT NULL,
	`old_token_hash` text,
	`old_gotify_hash` text,
	`old_token_until` integer,
	`token_generation` integer DEFAULT 0 NOT NULL,
	`settings` text NOT NULL,
	`created_at` integer NOT NULL,
	`requests` integer DEFAULT 0 NOT NULL,
	`last_used_at` integer,
	`last_used_from` text,
	`last_source` text,
	FOREIGN KEY (`namespace_id`) REFERENCES `namespace`(`row`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`topic_id`) REFERENCES `topic`(`row`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `hook_id_unique` ON `hook` (`id`);--> statement-breakpoint
CREATE UNIQUE INDEX `hook_token_hash_unique` ON `hook` (`token_hash`);--> statement-breakpoint
CREATE UNIQUE INDEX `hook_gotify_hash_unique` ON `hook` (`gotify_hash`);--> statement-breakpoint
CREATE INDEX `hook_namespace` ON `hook` (`namespace_id`);--> statement-breakpoint
CREATE INDEX `hook_topic` ON `hook` (`topic_id`);--> statement-breakpoint
CREATE INDEX `hook_old_token` ON `hook` (`old_token_hash`) WHERE "hook"."old_token_hash" is not null;--> statement-breakpoint
CREATE INDEX `hook_old_gotify` ON `hook` (`old_gotify_hash`) WHERE "hook"."old_gotify_hash" is not null;--> statement-breakpoint
CREATE TABLE `hook_request` (
	`row` integer PRIMARY KEY NOT NULL,
	`n` integer NOT NULL,
	`at` integer NOT NULL,
	`message_id` integer,
	`json` text NOT NULL,
	`body` blob
);
--> statement-breakpoint
CREATE INDEX `hook_request_at` ON `hook_request` (`at`);