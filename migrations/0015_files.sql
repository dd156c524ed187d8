CREATE TABLE `attachment` (
	`row` integer PRIMARY KEY NOT NULL,
	`file_row` integer NOT NULL,
	`topic_id` integer NOT NULL,
	`message_row` integer,
	`scheduled_row` integer,
	`discarded_row` integer,
	`name` text NOT NULL,
	`expires_at` integer NOT NULL,
	FOREIGN KEY (`file_row`) REFERENCES `file`(`row`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`message_row`) REFERENCES `message`(`row`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`scheduled_row`) REFERENCES `scheduled`(`row`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`discarded_row`) REFERENCES `discarded`(`row`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `attachment_file` ON `attachment` (`file_row`,`topic_id`);--> statement-breakpoint
CREATE INDEX `attachment_message` ON `attachment` (`message_row`);--> statement-breakpoint
CREATE INDEX `attachment_scheduled` ON `attachment` (`scheduled_row`);--> statement-breakpoint
CREATE INDEX `attachment_discarded` ON `attachment` (`discarded_row`);--> statement-breakpoint
CREATE INDEX `attachment_expires` ON `attachment` (`expires_at`);--> statement-breakpoint
CREATE TABLE `file` (
	`row` integer PRIMARY KEY NOT NULL,
	`hash` text NOT NULL,
	`size` integer NOT NULL,
	`refs` integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `file_hash_unique` ON `file` (`hash`);--> statement-breakpoint
CREATE INDEX `file_unused` ON `file` (`refs`) WHERE "file"."refs" = 0;--> statement-breakpoint
CREATE TABLE `file_total` (
	`row` integer PRIMARY KEY NOT NULL,
	`files` integer NOT NULL,
	`bytes` integer NOT NULL
);
--> statement-breakpoint
CREATE TRIGGER `attachment_made` AFTER INSERT ON `attachment` BEGIN UPDATE `file` SET `refs` = `refs` + 1 WHERE `row` = NEW.`file_row`; END;--> statement-breakpoint
CREATE TRIGGER `attachment_gone` AFTER DELETE ON `attachment` BEGIN UPDATE `file` SET `refs` = `refs` - 1 WHERE `row` = OLD.`file_row`; END;
