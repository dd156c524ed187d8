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
CREATE INDEX `device_active` ON `device` (`platform`) WHERE "device"."lost_at" is null;--> statement-breakpoint
INSERT INTO `delivery_day` (`day`, `namespace_id`, `accepted`, `failed`, `expired`, `cancelled`)
  SELECT d.settled_at / 86400000, m.namespace_id,
    sum(d.state = 'accepted'), sum(d.state = 'failed'), sum(d.state = 'expired'), sum(d.state = 'cancelled')
  FROM `delivery` d JOIN `message` m ON m.row = d.message_row WHERE d.settled_at IS NOT NULL GROUP BY 1, 2;
