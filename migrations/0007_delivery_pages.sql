CREATE TABLE `delivery_day` (
	`day` integer NOT NULL,
	`namespace_id` integer NOT NULL,
	`accepted` integer DEFAULT 0 NOT NULL,
	`failed` integer DEFAULT 0 NOT NULL,
	`expired` integer DEFAULT 0 NOT NULL,
	`cancelled` integer DEFAULT 0 NOT NULL,
	PRIMARY KEY(`day`, `namespace_id`)
);
--> statement-breakpoint
DROP INDEX `delivery_test`;--> statement-breakpoint
CREATE INDEX `delivery_of` ON `delivery` (`device_row`,`message_row`);--> statement-breakpoint
CREATE INDEX `delivery_state` ON `delivery` (`state`,`message_row`,`device_row`) WHERE "delivery"."state" <> 'accepted';--> statement-breakpoint
ALTER TABLE `device` ADD `ref` text;--> statement-breakpoint
CREATE UNIQUE INDEX `device_ref_unique` ON `device` (`ref`);--> statement-breakpoint
CREATE INDEX `device_active` ON `device` (`platform`) WHERE "device"."lost_at" is null;