CREATE TABLE `api_key` (
	`row` integer PRIMARY KEY NOT NULL,
	`id` text NOT NULL,
	`namespace_id` integer NOT NULL,
	`hash` text NOT NULL,
	`prefix` text NOT NULL,
	`scope` text NOT NULL,
	`name` text,
	`created_at` integer NOT NULL,
	`expires_at` integer,
	`last_used_at` integer,
	FOREIGN KEY (`namespace_id`) REFERENCES `namespace`(`row`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `api_key_id_unique` ON `api_key` (`id`);--> statement-breakpoint
CREATE UNIQUE INDEX `api_key_hash_unique` ON `api_key` (`hash`);--> statement-breakpoint
CREATE INDEX `api_key_namespace` ON `api_key` (`namespace_id`);--> statement-breakpoint
CREATE TABLE `idempotency` (
	`row` integer PRIMARY KEY NOT NULL,
	`namespace_id` integer NOT NULL,
	`key` text NOT NULL,
	`hash` text NOT NULL,
	`topic_id` integer NOT NULL,
	`created_topic` integer NOT NULL,
	`created_at` integer NOT NULL,
	`message_id` integer,
	`seq` integer,
	`message_at` integer,
	`scheduled_id` text,
	`deliver_at` integer,
	FOREIGN KEY (`namespace_id`) REFERENCES `namespace`(`row`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `idempotency_key` ON `idempotency` (`namespace_id`,`key`);--> statement-breakpoint
CREATE INDEX `idempotency_created` ON `idempotency` (`created_at`);--> statement-breakpoint
CREATE TABLE `message` (
	`row` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`topic_id` integer NOT NULL,
	`namespace_id` integer NOT NULL,
	`id` integer NOT NULL,
	`created_at` integer NOT NULL,
	`level` text NOT NULL,
	`priority` text NOT NULL,
	`dedup_key` text,
	`json` text NOT NULL,
	FOREIGN KEY (`topic_id`) REFERENCES `topic`(`row`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`namespace_id`) REFERENCES `namespace`(`row`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `message_id` ON `message` (`topic_id`,`id`);--> statement-breakpoint
CREATE INDEX `message_namespace` ON `message` (`namespace_id`);--> statement-breakpoint
CREATE INDEX `message_dedup` ON `message` (`topic_id`,`dedup_key`) WHERE "message"."dedup_key" is not null;--> statement-breakpoint
CREATE TABLE `namespace` (
	`row` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`name` text NOT NULL,
	`created_at` integer NOT NULL,
	`topics` integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `namespace_name_unique` ON `namespace` (`name`);--> statement-breakpoint
CREATE TABLE `scheduled` (
	`row` integer PRIMARY KEY NOT NULL,
	`id` text NOT NULL,
	`namespace_id` integer NOT NULL,
	`topic_id` integer NOT NULL,
	`deliver_at` integer NOT NULL,
	`created_at` integer NOT NULL,
	`json` text NOT NULL,
	FOREIGN KEY (`namespace_id`) REFERENCES `namespace`(`row`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`topic_id`) REFERENCES `topic`(`row`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `scheduled_id_unique` ON `scheduled` (`id`);--> statement-breakpoint
CREATE INDEX `scheduled_due` ON `scheduled` (`deliver_at`);--> statement-breakpoint
CREATE INDEX `scheduled_namespace` ON `scheduled` (`namespace_id`,`deliver_at`);--> statement-breakpoint
CREATE INDEX `scheduled_topic` ON `scheduled` (`topic_id`);--> statement-breakpoint
CREATE TABLE `setting` (
	`name` text PRIMARY KEY NOT NULL,
	`value` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `topic` (
	`row` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`namespace_id` integer NOT NULL,
	`key` text NOT NULL,
	`name` text NOT NULL,
	`description` text,
	`last_id` integer DEFAULT 0 NOT NULL,
	`pruned_to` integer DEFAULT 0 NOT NULL,
	`last_at` integer,
	`retention_days` integer,
	`retention_messages` integer,
	`archived_at` integer,
	`created_at` integer NOT NULL,
	`deleted_at` integer,
	FOREIGN KEY (`namespace_id`) REFERENCES `namespace`(`row`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `topic_key_unique` ON `topic` (`key`);--> statement-breakpoint
CREATE UNIQUE INDEX `topic_name` ON `topic` (`namespace_id`,`name`) WHERE "topic"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX `topic_namespace` ON `topic` (`namespace_id`);