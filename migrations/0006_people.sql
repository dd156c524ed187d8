CREATE TABLE `person` (
	`row` integer PRIMARY KEY NOT NULL,
	`id` text NOT NULL,
	`name` text NOT NULL,
	`folded` text NOT NULL,
	`password_hash` text,
	`is_admin` integer NOT NULL,
	`namespaces` text,
	`created_at` integer NOT NULL,
	`last_seen_at` integer
);
--> statement-breakpoint
CREATE UNIQUE INDEX `person_id_unique` ON `person` (`id`);--> statement-breakpoint
CREATE UNIQUE INDEX `person_folded_unique` ON `person` (`folded`);--> statement-breakpoint
CREATE INDEX `person_admin` ON `person` (`is_admin`);--> statement-breakpoint
CREATE TABLE `session` (
	`row` integer PRIMARY KEY NOT NULL,
	`id` text NOT NULL,
	`person_row` integer NOT NULL,
	`hash` text NOT NULL,
	`created_at` integer NOT NULL,
	`seen_at` integer NOT NULL,
	`confirmed_at` integer NOT NULL,
	`address` text NOT NULL,
	`agent` text NOT NULL,
	FOREIGN KEY (`person_row`) REFERENCES `person`(`row`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `session_id_unique` ON `session` (`id`);--> statement-breakpoint
CREATE UNIQUE INDEX `session_hash_unique` ON `session` (`hash`);--> statement-breakpoint
CREATE INDEX `session_person` ON `session` (`person_row`,`seen_at`);--> statement-breakpoint
CREATE INDEX `session_seen` ON `session` (`seen_at`);