CREATE TABLE `acknowledgement` (
	`row` integer PRIMARY KEY NOT NULL,
	`at` integer NOT NULL,
	FOREIGN KEY (`row`) REFERENCES `message`(`row`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `delivery` (
	`row` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`message_row` integer,
	`device_row` integer NOT NULL,
	`lane` text NOT NULL,
	`state` text DEFAULT 'pending' NOT NULL,
	`urgent` integer NOT NULL,
	`attempts` integer DEFAULT 0 NOT NULL,
	`created_at` integer NOT NULL,
	`due_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`accepted_at` integer,
	`settled_at` integer,
	`shown_at` integer,
	`provider_id` text,
	`last_status` integer,
	`last_reason` text
);
--> statement-breakpoint
CREATE UNIQUE INDEX `delivery_message` ON `delivery` (`message_row`,`device_row`);--> statement-breakpoint
CREATE INDEX `delivery_test` ON `delivery` (`device_row`) WHERE "delivery"."message_row" is null;--> statement-breakpoint
CREATE INDEX `delivery_due` ON `delivery` (`lane`,`urgent`,`due_at`,`device_row`) WHERE "delivery"."state" = 'pending';--> statement-breakpoint
CREATE INDEX `delivery_device` ON `delivery` (`device_row`) WHERE "delivery"."state" = 'pending';--> statement-breakpoint
CREATE INDEX `delivery_expiry` ON `delivery` (`expires_at`) WHERE "delivery"."state" = 'pending';--> statement-breakpoint
CREATE INDEX `delivery_settled` ON `delivery` (`settled_at`) WHERE "delivery"."settled_at" is not null;--> statement-breakpoint
CREATE TABLE `delivery_count` (
	`row` integer PRIMARY KEY NOT NULL,
	`pending` integer DEFAULT 0 NOT NULL,
	`accepted` integer DEFAULT 0 NOT NULL,
	`failed` integer DEFAULT 0 NOT NULL,
	`expired` integer DEFAULT 0 NOT NULL,
	`cancelled` integer DEFAULT 0 NOT NULL,
	FOREIGN KEY (`row`) REFERENCES `message`(`row`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `device` (
	`row` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`id` text NOT NULL,
	`platform` text NOT NULL,
	`token` text NOT NULL,
	`p256dh` text,
	`auth` text,
	`name` text,
	`locale` text,
	`quiet_hours` text,
	`min_priority` text,
	`base` text NOT NULL,
	`created_at` integer NOT NULL,
	`registered_at` integer NOT NULL,
	`environment` text DEFAULT 'production' NOT NULL,
	`was_moved` integer DEFAULT 0 NOT NULL,
	`last_success_at` integer,
	`last_error_at` integer,
	`last_error` text,
	`lost_at` integer,
	`lost_reason` text
);
--> statement-breakpoint
CREATE UNIQUE INDEX `device_id_unique` ON `device` (`id`);--> statement-breakpoint
CREATE UNIQUE INDEX `device_token` ON `device` (`platform`,`token`);--> statement-breakpoint
CREATE INDEX `device_lost` ON `device` (`lost_at`,`platform`) WHERE "device"."lost_at" is not null;--> statement-breakpoint
CREATE TABLE `fanout` (
	`row` integer PRIMARY KEY NOT NULL,
	`cursor` integer NOT NULL,
	`upto` integer NOT NULL,
	FOREIGN KEY (`row`) REFERENCES `message`(`row`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `subscription` (
	`row` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`topic_id` integer NOT NULL,
	`device_row` integer NOT NULL,
	`subscribed_at` integer NOT NULL,
	`muted_until` integer,
	`min_priority` text,
	FOREIGN KEY (`topic_id`) REFERENCES `topic`(`row`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`device_row`) REFERENCES `device`(`row`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `subscription_topic` ON `subscription` (`topic_id`,`device_row`);--> statement-breakpoint
CREATE INDEX `subscription_device` ON `subscription` (`device_row`);--> statement-breakpoint
ALTER TABLE `topic` ADD `subscribers` integer DEFAULT 0 NOT NULL;